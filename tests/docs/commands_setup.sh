# . commands_setup.sh PROGRAM ROOT: for commands.py: what commands of pages take for granted. make_files makes, in this folder, the files
# that they name.
program=$1
root=$2
port=7464
server=
mkdir -p bin build/release
ln -sf "$program" build/release/neardup
ln -sfn "$root/examples" examples
export PATH="$PWD/bin:$PATH"
trap 'status=$?; stop_server; [ "$status" = 0 ] || cat serve.log 2>/dev/null || true; exit "$status"' EXIT

stop_server() {
  [ -z "$server" ] || { kill "$server" && wait "$server" || true; } 2>/dev/null
  server=
}

# A service listens on a port of its own, and is there when the next command asks it; it goes with the next one, or with the page.
serve() {
  local said
  stop_server
  rm -f said && mkfifo said
  "$program" serve "$@" --listen 127.0.0.1:0 >said 2>serve.log &
  server=$!
  exec 9<said
  read -r -t 60 said <&9 || { cat serve.log; return 1; }
  port=${said##*:}
  curl -s "http://127.0.0.1:7464/readyz"
}

neardup() {
  case "$1" in
    serve)
      local words=("${@:2}") taken=() i
      for ((i = 0; i < ${#words[@]}; i++)); do
        if [ "${words[i]}" = --listen ]; then i=$((i + 1)); else taken+=("${words[i]}"); fi
      done
      [[ " $* " != *" --keep-texts "* ]] || neardup index create "${taken[0]}"  # what an example before it made has none
      serve "${taken[@]}" ;;
    dedup)  # each command of a page makes `out` anew
      [[ " $* " != *" -o out "* ]] || rm -rf out
      "$program" "$@" ;;
    index)
      [ "$2" != create ] || { stop_server; rm -rf "$3"; }
      "$program" "$@" ;;
    crawl-filter)  # the page shows it apart from the service
      stop_server
      "$program" "$@" ;;
    *) "$program" "$@" ;;
  esac
}

curl() {
  command curl -f --retry 20 --retry-delay 1 "${@//127.0.0.1:7464/127.0.0.1:$port}"
}

make_files() {
  python3 "$(dirname "${BASH_SOURCE[0]}")/commands_files.py" "$program"
}
