// Runs before the page is painted: light or dark, as chosen here or, where nothing was chosen, as the system has it.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      return localStorage.getItem('neardup-theme') ?? '';
    } catch {
      return '';  // storage may be forbidden
    }
  };
  const apply = () => {
    document.documentElement.dataset.theme = chosen() || (system.matches ? 'dark' : 'light');
    dispatchEvent(new Event('neardup-theme'));
  };
  system.addEventListener('change', apply);
  addEventListener('storage', apply);
  addEventListener('DOMContentLoaded', () => {
    const select = document.getElementById('theme');
    select.value = chosen();
    select.addEventListener('change', () => {
      try {
        localStorage.setItem('neardup-theme', select.value);
      } catch {
        document.documentElement.dataset.theme = select.value;
      }
      apply();
    });
  });
  apply();
})();
