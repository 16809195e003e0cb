"""Arrow's release callbacks are called once, whatever happens; streams are made by hand."""
import ctypes
import gc

import pytest
from conftest import FERRY
from neardup import _native


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


def callback(result, of, *arguments):
    return ctypes.CFUNCTYPE(result, ctypes.POINTER(of), *arguments)


Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
    ("release", callback(None, Schema)), ("private_data", ctypes.c_void_p),
]  # fmt: skip
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.c_void_p),
    ("dictionary", ctypes.c_void_p), ("release", callback(None, Array)), ("private_data", ctypes.c_void_p),
]  # fmt: skip
GetSchema = callback(ctypes.c_int, Stream, ctypes.POINTER(Schema))
GetNext = callback(ctypes.c_int, Stream, ctypes.POINTER(Array))
GetError = callback(ctypes.c_void_p, Stream)
Stream._fields_ = [
    ("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", GetError), ("release", callback(None, Stream)),
    ("private_data", ctypes.c_void_p),
]  # fmt: skip

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
EIO = 5
MESSAGE = ctypes.create_string_buffer(b"the disk is gone")


class Exporter:
    """A stream of one text in each of `chunks` arrays; counts what is released."""

    def __init__(self, format=b"u", chunks=3, fails_at=None, schema_fails=False, offsets=None):
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.given = 0
        self._format, self._chunks, self._fails_at, self._schema_fails = format, chunks, fails_at, schema_fails
        text = FERRY.encode()
        self._bytes = ctypes.create_string_buffer(text)
        self._offsets = (ctypes.c_int32 * 2)(*(offsets or (0, len(text))))
        self._buffers = (ctypes.c_void_p * 3)(None, ctypes.addressof(self._offsets), ctypes.addressof(self._bytes))
        self._callbacks = {
            "schema": callback(None, Schema)(self._releaser("schema", callback(None, Schema))),
            "array": callback(None, Array)(self._releaser("array", callback(None, Array))),
        }
        self.stream = Stream(
            GetSchema(self._get_schema), GetNext(self._get_next), GetError(lambda _: ctypes.addressof(MESSAGE)),
            callback(None, Stream)(self._releaser("stream", callback(None, Stream))), None,
        )  # fmt: skip

    def _releaser(self, name, kind):
        def release(held):
            self.released[name] += 1
            held.contents.release = ctypes.cast(None, kind)

        return release

    def _get_schema(self, _, out):
        if self._schema_fails:
            return EIO
        out[0] = Schema(self._format, b"", None, 2, 0, None, None, self._callbacks["schema"], None)
        return 0

    def _get_next(self, _, out):
        if self.given == self._fails_at:
            return EIO
        if self.given == self._chunks:
            out[0] = Array()
            return 0
        self.given += 1
        out[0] = Array(1, 0, 0, 3, 0, self._buffers, None, None, self._callbacks["array"], None)
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def test_all_is_released_once():
    exporter = Exporter()
    column = _native.column_of_arrow(exporter)
    assert len(column) == 3 and exporter.released["array"] == 0
    del column
    gc.collect()
    assert exporter.released == {"schema": 1, "array": 3, "stream": 1}


@pytest.mark.parametrize(
    "words,error,arrays",
    [
        ({"fails_at": 0}, ValueError, 0),
        ({"fails_at": 2}, ValueError, 2),
        ({"format": b"i"}, TypeError, 0),
        ({"format": b"nonsense"}, ValueError, 0),
        ({"offsets": (5, 2)}, ValueError, 1),
    ],
    ids=str,
)
def test_all_is_released_once_on_errors(words, error, arrays):
    exporter = Exporter(**words)
    with pytest.raises(error) as raised:
        _native.column_of_arrow(exporter)
    if "fails_at" in words:
        assert "the disk is gone" in str(raised.value)
    del raised
    gc.collect()
    assert exporter.released == {"schema": 1, "array": arrays, "stream": 1}


def test_a_stream_without_schema():
    exporter = Exporter(schema_fails=True)
    with pytest.raises(ValueError, match="the disk is gone"):
        _native.column_of_arrow(exporter)
    assert exporter.released == {"schema": 0, "array": 0, "stream": 1}


def test_zero_chunks_of_another_type_are_refused():
    with pytest.raises(TypeError, match="holds no texts"):
        _native.column_of_arrow(Exporter(format=b"i", chunks=0))


def test_a_stream_that_was_read_is_refused():
    exporter = Exporter()
    _native.column_of_arrow(exporter)
    with pytest.raises(ValueError, match="released"):
        _native.column_of_arrow(exporter)


def test_a_capsule_of_another_name_is_refused():
    class Wrong:
        def __arrow_c_stream__(self, requested_schema=None):
            return new_capsule(ctypes.addressof(self._held), b"arrow_schema", None)

        _held = Stream()

    with pytest.raises(ValueError, match="name"):
        _native.column_of_arrow(Wrong())


@pytest.mark.parametrize("value", [7, None, "text", object()], ids=str)
def test_what_is_no_arrow(value):
    with pytest.raises((AttributeError, TypeError)):
        _native.column_of_arrow(value)
