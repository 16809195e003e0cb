"""The columns of a caller's DataFrame that neardup.spark reads: found by name, their types checked, rows numbered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import BinaryType, DataType, MapType, StringType, StructField

from neardup import _native


@dataclass(frozen=True)
class Source:
    """Documents to read. Columns are looked up in `rows` alone: they may be called anything."""

    rows: DataFrame
    text: Column
    id: Column
    id_type: DataType
    number: str | None  # a column of `rows` that is not the caller's: the number of the row

    @property
    def is_read(self) -> Column:
        return self.text.isNotNull() & self.id.isNotNull()


def source_of(rows: DataFrame, text: str, id: str, number: str | None = None) -> Source:
    """Raises InvalidArgument for columns that are not there, or of types that are no text or no id."""
    text_field, id_field = field_of(rows, text, "text"), field_of(rows, id, "id")
    if not isinstance(text_field.dataType, (StringType, BinaryType)):
        raise _native.InvalidArgument(
            f"the column '{text_field.name}' of texts is of type {text_field.dataType.simpleString()}; "
            "it must be string or binary: cast it"
        )
    if not _is_id(id_field.dataType):
        raise _native.InvalidArgument(
            f"the column '{id_field.name}' of ids is of type {id_field.dataType.simpleString()}, which has no order; "
            "take one of strings or numbers, or leave id out: then rows are numbered"
        )
    return Source(rows, column(text_field.name), column(id_field.name), id_field.dataType, number)


def _is_id(type: DataType) -> bool:
    if any(word in type.simpleString() for word in ("map<", "interval", "variant")) or isinstance(type, MapType):
        return False
    try:
        to_arrow_type(type)
    except Exception:  # a class of its own in each version of PySpark
        return False
    return True


def column(name: str) -> Column:
    """Returns the column that is called so, whatever characters its name has."""
    return F.col("`" + name.replace("`", "``") + "`")


def field_of(rows: DataFrame, name: str, parameter: str) -> StructField:
    """Returns the column of that name, by the rule of the session for upper and lower case."""
    if not isinstance(name, str):
        raise _native.InvalidArgument(f"{parameter} is the name of a column, not {name!r}")
    is_case_sensitive = rows.sparkSession.conf.get("spark.sql.caseSensitive") == "true"
    key = str if is_case_sensitive else str.casefold
    found = [field for field in rows.schema.fields if key(field.name) == key(name)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(rows.columns)
    if found:
        raise _native.InvalidArgument(f"{len(found)} columns are called '{name}'; rename one; there are: {names}")
    inside = " (a field of a struct must be a column of its own: df.withColumn)" if "." in name else ""
    raise _native.InvalidArgument(f"there is no column '{name}'; there are: {names}{inside}")


def order_of(rows: DataFrame, order: Any) -> list[Column]:
    """Returns what to sort by: names of columns, and expressions as they are."""
    given = order if isinstance(order, (list, tuple)) else [] if order is None else [order]
    return [column(field_of(rows, one, "order").name) if isinstance(one, str) else one for one in given]


def unused_name(name: str, *frames: DataFrame) -> str:
    """Returns `name`, with as many underscores as it takes to be no column of these."""
    taken = {column.casefold() for frame in frames for column in frame.columns}
    while name.casefold() in taken:
        name += "_"
    return name


def numbered(stable: DataFrame, name: str) -> DataFrame:
    """Returns rows, whose column `name` is monotonically_increasing_id(), with their numbers in it: from 0, in Spark's
    order. Requires: `stable` is held, so that it stays the same."""
    within, part = F.col(name) % F.lit(2**33), F.shiftright(F.col(name), 33)
    counts = {row["part"]: row["count"] for row in stable.groupBy(part.alias("part")).count().collect()}
    before, sum_before = [], 0
    for number in range(max(counts, default=-1) + 1):
        before.append(F.lit(sum_before).cast("long"))
        sum_before += counts.get(number, 0)
    if not before:
        return stable
    return stable.withColumn(name, F.element_at(F.array(*before), (part + 1).cast("int")) + within)
