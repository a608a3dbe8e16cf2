// Types of TypeScript from a schema.
#include <filesystem>

#include <gtest/gtest.h>

#include "asg/core/platform.h"
#include "generate.h"

namespace asg::generate {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSchema = R"({
  "$defs": {
    "message": {"oneOf": [{"$ref": "#/$defs/message.set_value"}]},
    "event": {"oneOf": [{"$ref": "#/$defs/event.step_done"}, {"$ref": "#/$defs/event.failed"}]},
    "lab_message": {"oneOf": [{"$ref": "#/$defs/message.level"}]},
    "lab_event": {"oneOf": [{"$ref": "#/$defs/event.training"}]},
    "message.set_value": {
      "description": "Other numbers.",
      "properties": {
        "do": {"const": "set_value"},
        "value": {"description": "one or many", "oneOf": [{"type": "number"}, {"type": "array", "items": {"type": ["number", "null"]}}]},
        "training": {"type": "integer"}
      },
      "required": ["do", "value"],
      "additionalProperties": false
    },
    "event.step_done": {
      "properties": {"event": {"const": "step_done"}, "how": {"type": "string", "enum": ["a", "b"]}, "all": {"type": "object"}},
      "required": ["event"],
      "additionalProperties": false
    },
    "event.failed": {
      "properties": {"event": {"const": "failed"}, "error": {"$ref": "#/$defs/error"}, "list": {"type": "array", "items": {"$ref": "#/$defs/journal_entry"}}},
      "required": ["event", "error", "list"],
      "additionalProperties": false
    },
    "message.level": {
      "properties": {"do": {"const": "level"}, "view": {"$ref": "#/$defs/view"}, "ask": {"$ref": "#/$defs/ask"}},
      "required": ["do", "view"],
      "additionalProperties": false
    },
    "event.training": {
      "properties": {"event": {"const": "training"}, "rates": {"type": "object", "additionalProperties": {"type": ["number", "null"]}}},
      "required": ["event", "rates"],
      "additionalProperties": false
    },
    "view": {"description": "A way to look.", "type": "string", "enum": ["model", "plan"]},
    "ask": {"type": "integer"},
    "error": {"properties": {"fine": {"type": "boolean"}}, "additionalProperties": false},
    "journal_entry": {"properties": {"id": {"type": ["integer", "null"]}}}
  }
})";

constexpr const char* kTypes = R"(// Made from docs/protocol.schema.json by `make generate`.

export type Message =
  | SetValueMessage
  | LevelMessage;

export type MessageName = Message["do"];

export type LabEvent =
  | StepDoneEvent
  | FailedEvent
  | TrainingEvent;

export type EventName = LabEvent["event"];

/** Other numbers. */
export interface SetValueMessage {
  do: "set_value";
  /** one or many */
  value: number | (number | null)[];
  training?: number;
}

export interface StepDoneEvent {
  event: "step_done";
  how?: "a" | "b";
  all?: Record<string, unknown>;
}

export interface FailedEvent {
  event: "failed";
  error: ErrorDetail;
  list: JournalEntry[];
}

export interface LevelMessage {
  do: "level";
  view: View;
  ask?: Ask;
}

export interface TrainingEvent {
  event: "training";
  rates: Record<string, number | null>;
}

/** A way to look. */
export const VIEWS = ["model", "plan"] as const;
export type View = (typeof VIEWS)[number];

export type Ask = number;

export interface ErrorDetail {
  fine?: boolean;
}

export interface JournalEntry {
  id?: number | null;
  [name: string]: unknown;
}
)";

TEST(ProtocolTypes, FollowFromTheSchema) {
  const fs::path root = fs::path(testing::TempDir()) / "asg_protocol_types";
  fs::create_directories(root / "docs");
  platform::write_file_atomically((root / "docs/protocol.schema.json").string(), kSchema);
  const File file = protocol_types(root.string());
  EXPECT_EQ(file.path, "web/src/generated/protocol.ts");
  EXPECT_EQ(file.content, kTypes);
  fs::remove_all(root);
}

}  // namespace
}  // namespace asg::generate
