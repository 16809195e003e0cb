"""Tables and lists of documents: the text column out, the rows that stay back, in the type that came in.

A library of tables is imported only where an object of it is there, so it is imported already.
"""

from __future__ import annotations

import os
from itertools import chain, count, islice
from numbers import Number
from typing import Any, Callable, Iterable, Iterator, Sequence

from neardup import _native
from neardup._options import word
from neardup._text_paths import Path, column_of_rows


class Frame:
    """Documents in rows 0, 1, ... of one type of object."""

    #: Whether rows have named columns; else each row is a text.
    has_columns = True

    def __init__(self, data: Any):
        self.data = data

    def names(self) -> list[str]:
        """Returns the names of the columns."""
        raise NotImplementedError

    def check_names(self, *names: str | None) -> None:
        """Raises InvalidArgument unless each of `names` is one column; None is none."""
        if not self.has_columns:
            return
        columns = self.names()
        for name in filter(None, names):
            if name not in columns:
                raise _native.InvalidArgument(f"there is no column {name!r}; there are: {_listed(columns)}")
            if columns.count(name) > 1:
                raise _native.InvalidArgument(f"the column {name!r} is there twice")

    def column(self, name: str, texts: bool = True) -> _native.Column:
        """Returns a column for the native part; with texts=False it is only asked for nulls."""
        raise NotImplementedError

    def text_column(self, text: str) -> _native.Column:
        """Returns the column of the texts that `text` names, as --text-key does: a column, else fields, lists and
        several of them. Raises InvalidArgument where there is none, TypeError for what is no text."""
        if not self.has_columns:
            return self.column(text)
        names = self.names()
        if text in names:
            self.check_names(text)
            return self._texts(text)
        paths = _native.text_paths(word(text, "text", "title,body"))
        if [path for _, path in paths] == [[(text, False)]]:
            self.check_names(text)
        return _native.text_column(
            text, [self._path_column(path, names) for path in paths], len(self), f"; there are: {_listed(names)}"
        )

    def _texts(self, name: str) -> _native.Column:
        try:
            return self.column(name)
        except TypeError as error:
            first = next((value for value in self.values(name, range(min(len(self), 100))) if value is not None), None)
            if hasattr(first, "__len__") and not isinstance(first, (str, bytes, dict)):
                raise TypeError(f"{error}; of a list text='{name}[]' takes the strings, '{name}[].FIELD' a field") from None
            if isinstance(first, dict):
                raise TypeError(f"{error}; text='{name}.FIELD' takes a field") from None
            raise

    def _path_column(self, path: Path, names: list[str]) -> _native.Column | None:
        """Returns what a path leads to in each row; None where no column of its name is there."""
        name, steps = path
        if len(steps) > 1 and name in names:
            name, steps = path = (name, [(name, False)])
        root, is_list = steps[0]
        if root not in names:
            return None
        self.check_names(root)
        return self.nested(path) if is_list or len(steps) > 1 else self.field(root)

    def field(self, name: str) -> _native.Column:
        """Returns a column of texts, one of several."""
        return self.column(name)

    def nested(self, path: Path) -> _native.Column:
        """Returns the texts to which a path leads in the values of a column."""
        root = path[1][0][0]
        return column_of_rows(({root: value} for value in self.values(root, range(len(self)))), path)

    def num_repeated(self, name: str) -> int:
        """Returns how many rows have a value of a column that an earlier row has; nulls do not count."""
        values = [value for value in self.values(name, range(len(self))) if not stands_for_nothing(value)]
        return len(values) - len(set(values))

    def values(self, name: str, rows: Sequence[int]) -> list:
        """Returns the values of a column in some rows, as Python objects."""
        raise NotImplementedError

    def may_lack(self, name: str) -> bool:
        """Returns whether values of a column may stand for nothing, as far as can be told without looking at each."""
        return True

    def words(self, name: str) -> _native.Column:
        """Returns the values of a column as texts, nulls as they are. Raises TypeError for what is no single value, and
        for texts alone, which have no columns."""
        if not self.has_columns:
            raise TypeError(f"texts alone have no column {name!r}: give rows with columns")
        nulls = self.column(name, texts=False)
        values = self.values(name, range(len(self)))
        return _native.column_of_list(
            [None if nulls.is_null(row) else _word(value, name, row) for row, value in enumerate(values)]
        )

    def take(self, rows: Sequence[int]) -> Any:
        """Returns these rows, which ascend, as the type that came in."""
        raise NotImplementedError

    def table(self, columns: dict[str, list]) -> Any:
        """Returns new columns as a table of the same library."""
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def __len__(self) -> int:
        return len(self.data)


def _listed(names: list) -> str:
    return ", ".join(map(str, names[:20])) or "none"


def _word(value: Any, name: str, row: int) -> str | bytes | None:
    if isinstance(value, (str, bytes)):
        return value
    if hasattr(value, "__len__"):
        raise TypeError(f"row {row}: the column {name!r} holds a {type(value).__name__}, not a text or a number")
    return None if stands_for_nothing(value) else str(value)


class ListFrame(Frame):
    """list or tuple of str, bytes or None."""

    has_columns = False

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _native.column_of_list(self.data if isinstance(self.data, list) else list(self.data))

    def take(self, rows: Sequence[int]) -> Any:
        return type(self.data)([self.data[row] for row in rows])


class DictFrame(Frame):
    """list or tuple of dict; keys may be missing."""

    def __init__(self, data: Sequence[dict]):
        super().__init__(data)
        for number, row in enumerate(data):
            if not isinstance(row, dict):
                raise TypeError(f"row {number} is {type(row).__name__}, not dict as row 0 is")

    def names(self) -> list[str]:
        return list(dict.fromkeys(chain.from_iterable(self.data)))

    def column(self, name: str, texts: bool = True) -> _native.Column:
        values = (row.get(name) for row in self.data)
        return _native.column_of_list([value if texts else _mark(value) for value in values])

    def field(self, name: str) -> _native.Column:
        return column_of_rows(self.data, (name, [(name, False)]))  # some rows may lack it

    def nested(self, path: Path) -> _native.Column:
        return column_of_rows(self.data, path)

    def values(self, name: str, rows: Sequence[int]) -> list:
        return [self.data[row].get(name) for row in rows]

    def take(self, rows: Sequence[int]) -> Any:
        return type(self.data)([self.data[row] for row in rows])


def _mark(value: Any) -> str | None:
    return None if stands_for_nothing(value) else ""


def stands_for_nothing(value: Any) -> bool:
    """Whether a value is None, NaN, or the NA or NaT of pandas."""
    if value is None or isinstance(value, (str, int)):
        return value is None
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, Number) and bool(value != value))


class PandasFrame(Frame):
    """pandas.DataFrame; rows are told apart by their place, whatever the index holds."""

    def names(self) -> list[str]:
        return list(self.data.columns)

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _column_of_series(self.data[name], texts)

    def num_repeated(self, name: str) -> int:
        present = self.data[name].dropna()
        return len(present) - present.nunique()

    def values(self, name: str, rows: Sequence[int]) -> list:
        return self.data[name].iloc[list(rows)].tolist()

    def may_lack(self, name: str) -> bool:
        series = self.data[name]
        return bool(series.isna().any()) or str(series.dtype).startswith(("float", "double"))  # Arrow's NaN is no null

    def take(self, rows: Sequence[int]) -> Any:
        return self.data.iloc[list(rows)]

    def table(self, columns: dict[str, list]) -> Any:
        import pandas

        return pandas.DataFrame(columns)


def _column_of_series(series: Any, texts: bool) -> _native.Column:
    if texts and _holds_arrow_texts(series.dtype):
        return _native.column_of_arrow(series.array.__arrow_array__())
    missing = series.isna().to_numpy()
    if not texts:
        return _native.column_of_list([None if gone else "" for gone in missing])
    return _native.column_of_list([None if gone else value for value, gone in zip(series.tolist(), missing)])


def _holds_arrow_texts(dtype: Any) -> bool:
    """Whether a pandas dtype is str or string in pyarrow's memory."""
    return str(dtype).startswith(("str", "large_string")) and getattr(dtype, "storage", "pyarrow") == "pyarrow"


class PandasSeries(PandasFrame):
    """pandas.Series of texts."""

    has_columns = False

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _column_of_series(self.data, texts)


class PolarsFrame(Frame):
    """polars.DataFrame."""

    def names(self) -> list[str]:
        return self.data.columns

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _native.column_of_arrow(self.data[name], texts)

    def nested(self, path: Path) -> _native.Column:
        return _native.column_of_arrow_path(self.data[path[1][0][0]], path[1])

    def num_repeated(self, name: str) -> int:
        present = self.data[name].drop_nulls()
        if str(present.dtype).startswith(("Object", "List", "Struct", "Array")):
            return super().num_repeated(name)
        present = present.drop_nans() if present.dtype.is_float() else present
        return len(present) - present.n_unique()

    def values(self, name: str, rows: Sequence[int]) -> list:
        return self.data[name].gather(list(rows)).to_list()

    def may_lack(self, name: str) -> bool:
        series = self.data[name]
        return series.null_count() > 0 or not str(series.dtype).startswith(("String", "Int", "UInt"))

    def take(self, rows: Sequence[int]) -> Any:
        return self.data[list(rows)]

    def table(self, columns: dict[str, list]) -> Any:
        import polars

        return polars.DataFrame(columns, strict=False)


class PolarsSeries(PolarsFrame):
    """polars.Series of texts."""

    has_columns = False

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _native.column_of_arrow(self.data, texts)

    def take(self, rows: Sequence[int]) -> Any:
        return self.data.gather(list(rows))


class ArrowFrame(Frame):
    """pyarrow.Table and RecordBatch."""

    def names(self) -> list[str]:
        return self.data.schema.names

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _native.column_of_arrow(self.data.column(name), texts)

    def nested(self, path: Path) -> _native.Column:
        return _native.column_of_arrow_path(self.data.column(path[1][0][0]), path[1])

    def num_repeated(self, name: str) -> int:
        return _repeated_in_arrow(self.data.column(name))

    def values(self, name: str, rows: Sequence[int]) -> list:
        return _arrow_rows(self.data.column(name), rows).to_pylist()

    def may_lack(self, name: str) -> bool:
        column = self.data.column(name)
        return column.null_count > 0 or not str(column.type).startswith(("string", "large_string", "int", "uint"))

    def take(self, rows: Sequence[int]) -> Any:
        return _arrow_rows(self.data, rows)

    def table(self, columns: dict[str, list]) -> Any:
        import pyarrow

        return pyarrow.table(columns)

    def __len__(self) -> int:
        return self.data.num_rows


def _repeated_in_arrow(column: Any) -> int:
    import pyarrow
    from pyarrow import compute

    if pyarrow.types.is_floating(column.type):
        column = column.filter(compute.invert(compute.is_nan(column)))
    if str(column.type) in ("string_view", "binary_view"):
        column = column.cast(pyarrow.large_binary())
    return len(column) - column.null_count - compute.count_distinct(column).as_py()


def _arrow_rows(data: Any, rows: Sequence[int]) -> Any:
    import pyarrow

    try:
        return data.take(pyarrow.array(rows, pyarrow.int64()))
    except pyarrow.ArrowNotImplementedError:  # pyarrow takes no rows of string_view, but it joins slices
        return _joined([data.slice(first, length) for first, length in _runs(rows)] or [data.slice(0, 0)])


def _runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Returns first and length of each run of rows that follow each other."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and sum(runs[-1]) == row:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((row, 1))
    return runs


def _joined(parts: list) -> Any:
    import pyarrow

    if isinstance(parts[0], pyarrow.Table):
        return pyarrow.concat_tables(parts).combine_chunks()
    if isinstance(parts[0], pyarrow.RecordBatch):
        return pyarrow.concat_batches(parts)
    if isinstance(parts[0], pyarrow.ChunkedArray):
        return pyarrow.chunked_array([chunk for part in parts for chunk in part.chunks], parts[0].type)
    return pyarrow.concat_arrays(parts)


class ArrowArray(ArrowFrame):
    """pyarrow.Array and ChunkedArray of texts."""

    has_columns = False

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _native.column_of_arrow(self.data, texts)

    def __len__(self) -> int:
        return len(self.data)


class HfFrame(Frame):
    """datasets.Dataset, with its indices after filter() or shuffle()."""

    def names(self) -> list[str]:
        return self.data.column_names

    def column(self, name: str, texts: bool = True) -> _native.Column:
        return _native.column_of_arrow(self._arrow(name), texts)

    def nested(self, path: Path) -> _native.Column:
        return _native.column_of_arrow_path(self._arrow(path[1][0][0]), path[1])

    def num_repeated(self, name: str) -> int:
        return _repeated_in_arrow(self._arrow(name))

    def _arrow(self, name: str) -> Any:
        return self.data.select_columns([name]).with_format("arrow")[:].column(name)

    def values(self, name: str, rows: Sequence[int]) -> list:
        return self.data.select(list(rows)).select_columns([name]).with_format(None)[:][name]

    def take(self, rows: Sequence[int]) -> Any:
        return self.data.select(list(rows))

    def table(self, columns: dict[str, list]) -> Any:
        import datasets

        return datasets.Dataset.from_dict(columns)


def _is_list_of_dicts(data: Any) -> bool:
    return any(isinstance(row, dict) for row in data[:1])


def _frames_by_name() -> Iterable[tuple[tuple[str, str], type[Frame]]]:
    return [
        (("pandas", "DataFrame"), PandasFrame),
        (("pandas", "Series"), PandasSeries),
        (("polars", "DataFrame"), PolarsFrame),
        (("polars", "Series"), PolarsSeries),
        (("pyarrow", "Table"), ArrowFrame),
        (("pyarrow", "RecordBatch"), ArrowFrame),
        (("pyarrow", "Array"), ArrowArray),
        (("pyarrow", "ChunkedArray"), ArrowArray),
        (("datasets", "Dataset"), HfFrame),
    ]


def _names_of_bases(data: Any) -> set[tuple[str, str]]:
    return {(base.__module__.partition(".")[0], base.__name__) for base in type(data).__mro__}


def frame_of(data: Any) -> Frame:
    """Returns what reads `data`. Raises TypeError that says what can be read."""
    if isinstance(data, (list, tuple)):
        return DictFrame(data) if _is_list_of_dicts(data) else ListFrame(data)
    names = _names_of_bases(data)
    for name, frame in _frames_by_name():
        if name in names:
            return frame(data)
    if hasattr(data, "__arrow_c_stream__"):
        import pyarrow

        return ArrowFrame(pyarrow.table(data))
    if ("polars", "LazyFrame") in names:
        raise TypeError("a polars.LazyFrame holds no rows yet: call collect() first")
    raise TypeError(
        f"cannot read a {type(data).__module__}.{type(data).__qualname__}: give a list of str or dict, a pandas or "
        "polars DataFrame or Series, a pyarrow table or array, a datasets.Dataset, anything with __arrow_c_stream__, or paths "
        "and out="
    )


class Ids:
    """The ids of rows: those of a column, else the numbers of the rows, which also stand in for ids that are not there."""

    _SLICE = 1 << 16
    _stand_in: Callable[[int], Any] | None = None  # what stands in for an id; made when one is missing

    def __init__(self, frame: Frame, name: str | None):
        self._frame = frame
        self._name = name

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_stand_in"}

    def settle(self, rows: Iterable[int]) -> list[str]:
        """Finds what stands in for the ids of `rows` that are not there. Returns the warning where it is not their
        numbers. Asks for no row where no id of the column is missing, or it was found before."""
        if self._name is None or self._stand_in is not None or not self._frame.may_lack(self._name):
            return []
        if not any(stands_for_nothing(value) for some in self._slices(rows) for _, value in some):
            return []
        self._stand_in, told = self._found_stand_in()
        return [told] if told else []

    _MOST_NAMED = 3

    def repeated(self) -> tuple[int, list[str]]:
        """Returns how many rows have the id of an earlier row, and some of these ids as texts."""
        try:
            num_repeated = 0 if self._name is None else self._frame.num_repeated(self._name)
        except (TypeError, ValueError, NotImplementedError):  # values that no table compares, such as lists
            return 0, []
        return num_repeated, self._some_repeated() if num_repeated else []

    def _some_repeated(self) -> list[str]:
        seen, found = set(), {}
        for rows in self._all_slices():
            for _, value in rows:
                if value in seen and not stands_for_nothing(value):
                    found[value] = None
                    if len(found) == self._MOST_NAMED:
                        return list(map(str, found))
                seen.add(value)
        return list(map(str, found))

    def of(self, rows: Sequence[int]) -> list:
        if self._name is None:
            return list(rows)
        values = self._frame.values(self._name, rows)
        return [self._instead(row, value) if stands_for_nothing(value) else value for row, value in zip(rows, values)]

    def _instead(self, row: int, value: Any) -> Any:
        """A column has one type: of texts a text, of numbers a number, of others what was there."""
        if self._stand_in is None:  # in another process than the one that warned
            self._stand_in, _ = self._found_stand_in()
        instead = self._stand_in(row)
        return value if instead is None else instead

    def _found_stand_in(self) -> tuple[Callable[[int], Any], str]:
        """Returns what gives a row without an id one that no other row has, and what there is to say of it."""
        kind = self._kind()
        if kind is None:
            return lambda row: None, ""
        makers = _texts_of_rows() if kind is str else _numbers_of_rows(len(self._frame))
        first = made = next(makers)
        while self._is_taken(made):
            made = next(makers)
        if made is first:
            return made, ""
        missing = next(row for rows in self._all_slices() for row, value in rows if stands_for_nothing(value))
        return made, (
            f"rows of the column {self._name!r} have no id, and their numbers are the ids of others: they are called by "
            f"others, as row {missing} is {made(missing)!r}"
        )

    def _slices(self, rows: Iterable[int]) -> Iterator[Iterable[tuple[int, Any]]]:
        """Yields (row, value) of some rows at a time: the column may be larger than what is left of the memory."""
        left = iter(rows)
        while some := list(islice(left, self._SLICE)):
            yield zip(some, self._frame.values(self._name, some))

    def _all_slices(self) -> Iterator[Iterable[tuple[int, Any]]]:
        return self._slices(range(len(self._frame)))

    def _kind(self) -> type | None:
        """Returns str or int by the first id that is there, int where there is none, and None for what is neither."""
        present = (value for rows in self._all_slices() for _, value in rows if not stands_for_nothing(value))
        first = next(present, 0)
        if isinstance(first, str):
            return str
        return int if isinstance(first, Number) and not isinstance(first, bool) else None

    def _is_taken(self, made: Callable[[int], Any]) -> bool:
        """Whether a row has an id that another one would be given by `made`."""
        wanted = {made(row) for rows in self._all_slices() for row, value in rows if stands_for_nothing(value)}
        return any(value in wanted for rows in self._all_slices() for _, value in rows if isinstance(value, (str, Number)))


def _texts_of_rows() -> Iterator[Callable[[int], str]]:
    """Yields what makes texts of the numbers of rows: "3", "row 3", "row row 3" ..."""
    for times in count():
        yield lambda row, before="row " * times: f"{before}{row}"


def _numbers_of_rows(num_rows: int) -> Iterator[Callable[[int], int]]:
    """Yields what makes numbers of those of rows: 3, then 3 + num_rows, 3 + 2 * num_rows ..."""
    for times in count():
        yield lambda row, before=num_rows * times: before + row


def id_column_of(frame: Frame, id: str | None) -> str | None:
    """Returns the column of the ids: the one that was named, else "id" where there is one."""
    if not frame.has_columns:
        return None
    if id is not None:
        return id
    return "id" if "id" in frame.names() else None


def paths_of(given: Any) -> list[str] | None:
    """Returns the paths that were given, one or a list; None where these are no paths."""
    if isinstance(given, (str, os.PathLike)):
        return [os.fspath(given)]
    if isinstance(given, (list, tuple)) and given and all(isinstance(path, (str, os.PathLike)) for path in given):
        return [os.fspath(path) for path in given]
    return None
