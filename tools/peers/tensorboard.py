"""Reads event files for TensorBoard with a parser that we did not write, and compares them with the log in JSON lines that was
written beside them.

python3 -m peers.tensorboard FOLDER LOG

The frames are read here, with a table of CRC-32C of its own; messages by Debian's python3-protobuf, from descriptors that
repeat tensorflow/core/util/event.proto and tensorflow/core/framework/{summary,tensor,tensor_shape}.proto.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

KINDS = {
    "double": descriptor_pb2.FieldDescriptorProto.TYPE_DOUBLE,
    "float": descriptor_pb2.FieldDescriptorProto.TYPE_FLOAT,
    "int64": descriptor_pb2.FieldDescriptorProto.TYPE_INT64,
    "int32": descriptor_pb2.FieldDescriptorProto.TYPE_INT32,
    "string": descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
    "bytes": descriptor_pb2.FieldDescriptorProto.TYPE_BYTES,
}

# message → field → (number, kind, repeated). Enumerations are integers on the wire.
MESSAGES = {
    "Dim": {"size": (1, "int64", False)},
    "TensorShapeProto": {"dim": (2, "Dim", True)},
    "TensorProto": {"dtype": (1, "int32", False), "tensor_shape": (2, "TensorShapeProto", False),
                    "string_val": (8, "bytes", True)},
    "HistogramProto": {"min": (1, "double", False), "max": (2, "double", False), "num": (3, "double", False),
                       "sum": (4, "double", False), "sum_squares": (5, "double", False),
                       "bucket_limit": (6, "double", True), "bucket": (7, "double", True)},
    "Image": {"height": (1, "int32", False), "width": (2, "int32", False), "colorspace": (3, "int32", False),
              "encoded_image_string": (4, "bytes", False)},
    "PluginData": {"plugin_name": (1, "string", False), "content": (2, "bytes", False)},
    "SummaryMetadata": {"plugin_data": (1, "PluginData", False)},
    "Value": {"tag": (1, "string", False), "simple_value": (2, "float", False), "image": (4, "Image", False),
              "histo": (5, "HistogramProto", False), "tensor": (8, "TensorProto", False),
              "metadata": (9, "SummaryMetadata", False)},
    "Summary": {"value": (1, "Value", True)},
    "SessionLog": {"status": (1, "int32", False)},
    "Event": {"wall_time": (1, "double", False), "step": (2, "int64", False), "file_version": (3, "string", False),
              "summary": (5, "Summary", False), "session_log": (7, "SessionLog", False)},
}


def event_class() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="events.proto", package="tb", syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, (number, kind, repeated) in fields.items():
            entry = message.field.add(name=field, number=number, label=3 if repeated else 1)
            if kind in KINDS:
                entry.type = KINDS[kind]
                if repeated and kind == "double":
                    entry.options.packed = True
            else:
                entry.type = descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE
                entry.type_name = f".tb.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.MessageFactory(pool).GetPrototype(pool.FindMessageTypeByName("tb.Event"))


def crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


TABLE = crc_table()


def masked_crc(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    return (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def frames(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        if at + 12 > len(data):
            return  # the process was killed while it wrote
        (length,) = struct.unpack_from("<Q", data, at)
        (check,) = struct.unpack_from("<I", data, at + 8)
        if masked_crc(data[at:at + 8]) != check:
            raise ValueError(f"a wrong check of the length at byte {at}")
        if at + 16 + length > len(data):
            return
        content = data[at + 12:at + 12 + length]
        (check,) = struct.unpack_from("<I", data, at + 12 + length)
        if masked_crc(content) != check:
            raise ValueError(f"a wrong check of the data at byte {at}")
        yield content
        at += 16 + length


Key = tuple[str, int, str]  # tag, step, kind


def events_of(folder: Path) -> dict[Key, Any]:
    """As TensorBoard reads a folder: files by name; a session that starts makes later steps be forgotten."""
    event_type = event_class()
    found: dict[Key, Any] = {}
    for path in sorted(folder.glob("events.out.tfevents.*")):
        for index, content in enumerate(frames(path.read_bytes())):
            event = event_type.FromString(content)
            if event.wall_time <= 0:
                raise ValueError(f"{path}: an event without a time")
            if index == 0:
                if event.file_version != "brain.Event:2":
                    raise ValueError(f"{path} begins with {event}")
            elif event.HasField("session_log"):
                found = {key: value for key, value in found.items() if key[1] < event.step}
            for value in event.summary.value:
                kind = next(name for name in ("simple_value", "histo", "image", "tensor") if value.HasField(name))
                found[value.tag, event.step, kind] = value
    return found


def real(form: Any) -> float:
    return float(form.replace("Infinity", "inf")) if isinstance(form, str) else form


def same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def record_fits(record: dict[str, Any], events: dict[Key, Any]) -> bool:
    kinds = {"value": "simple_value", "text": "tensor", "histogram": "histo", "image": "image"}
    kind = next(name for name in kinds if name in record)
    value = events.pop((record["tag"], record["step"], kinds[kind]), None)
    if value is None:
        return False
    if kind == "value":
        (rounded,) = struct.unpack("<f", struct.pack("<f", real(record["value"])))
        return same(value.simple_value, rounded)
    if kind == "text":
        tensor = value.tensor
        return (value.metadata.plugin_data.plugin_name == "text" and tensor.dtype == 7
                and [dim.size for dim in tensor.tensor_shape.dim] == [1]
                and list(tensor.string_val) == [record["text"].encode()])
    if kind == "histogram":
        form, histo = record["histogram"], value.histo
        return (all(same(getattr(histo, name), real(form[key])) for name, key in
                    (("min", "min"), ("max", "max"), ("num", "count"), ("sum", "sum"), ("sum_squares", "sum_squares")))
                and list(histo.bucket_limit) == form["limits"] and list(histo.bucket) == form["counts"]
                and sum(histo.bucket) == histo.num)
    form, image = record["image"], value.image
    return ((image.height, image.width, image.colorspace) == (form["height"], form["width"], form["channels"])
            and image.encoded_image_string == base64.b64decode(form["png"])
            and image.encoded_image_string.startswith(b"\x89PNG\r\n\x1a\n"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="peers.tensorboard", description="Check event files against a log.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("log", type=Path)
    arguments = parser.parse_args()
    events = events_of(arguments.folder)
    total = len(events)
    records = [json.loads(line) for line in arguments.log.read_text(encoding="utf-8").splitlines()]
    wrong = [record for record in records if not record_fits(record, events)]
    for record in wrong:
        print(f"{record['tag']} of step {record['step']} is not in the event files as it was logged")
    for tag, step, kind in events:
        print(f"{tag} of step {step} ({kind}) is in the event files, but was not logged")
    print(f"tensorboard: {total} events, {len(records) - len(wrong)} of {len(records)} records agree")
    return 1 if wrong or events or not records else 0


if __name__ == "__main__":
    sys.exit(main())
