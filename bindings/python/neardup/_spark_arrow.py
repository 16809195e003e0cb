"""Arrow's columns as the native part takes and gives them, in Spark's tasks. pyarrow is imported by the tasks alone."""

from __future__ import annotations

import array
from typing import Any

from neardup import _native

_CODES = {"int64": "q", "int32": "i", "int8": "b", "double": "d"}


def numbers_of(column: Any) -> memoryview:
    """Returns the numbers of a column without nulls, in the memory of Arrow."""
    width = column.type.bit_width // 8
    data = memoryview(column.buffers()[1] or b"")
    return data[column.offset * width : (column.offset + len(column)) * width].cast(_CODES[str(column.type)])


def number_array(type: Any, data: Any) -> Any:
    import pyarrow

    return pyarrow.Array.from_buffers(type, memoryview(data).nbytes * 8 // type.bit_width, [None, pyarrow.py_buffer(data)])


def int32_of(data: Any) -> Any:
    import pyarrow

    return number_array(pyarrow.int32(), data)


def int64_of(data: Any) -> Any:
    import pyarrow

    return number_array(pyarrow.int64(), data)


def binary_of(columns: tuple[bytes, bytes]) -> Any:
    import pyarrow

    offsets, data = map(pyarrow.py_buffer, columns)
    return pyarrow.Array.from_buffers(pyarrow.binary(), offsets.size // 4 - 1, [None, offsets, data])


def value_of(value: bytes) -> Any:
    """Returns a column of one value. pyarrow.array([value]) would import pandas, if only to see that this is none of its."""
    return binary_of((array.array("i", [0, len(value)]), value))


def batch_of(**columns: Any) -> Any:
    import pyarrow

    return pyarrow.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


def native_column(column: Any) -> _native.Column:
    return _native.column_of_arrow(column)
