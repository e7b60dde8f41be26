import { Schema } from "effect"

const path = { path: Schema.String }

/** A line of the log cannot be read. */
export class CorruptLog extends Schema.TaggedError<CorruptLog>()("CorruptLog", {
  ...path,
  line: Schema.Int,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Line ${this.line} of the sandbox's log ${this.path} cannot be read: ${this.reason}. ` +
      "Restore the file, or delete it to start an empty sandbox"
  }
}

/** The log belongs to a sandbox with another seed, another genesis or another version of its rules. */
export class ForeignLog extends Schema.TaggedError<ForeignLog>()("ForeignLog", {
  ...path,
  member: Schema.Literals(["version", "seed", "genesis"]),
  found: Schema.String,
  wanted: Schema.String,
}) {
  override get message(): string {
    return `The sandbox's log ${this.path} has ${this.member} "${this.found}", but "${this.wanted}" is wanted. ` +
      "Start with the settings that it was made with, use another DATA_DIR, or delete the file"
  }
}

/** Another process has the log open. */
export class LockedLog extends Schema.TaggedError<LockedLog>()("LockedLog", path) {
  override get message(): string {
    return `The sandbox's log ${this.path} is in use by another process. ` +
      "Stop that one, or use another DATA_DIR"
  }
}

/** The log cannot be opened, read or written. */
export class UnusableLog extends Schema.TaggedError<UnusableLog>()("UnusableLog", {
  ...path,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The sandbox's log ${this.path} cannot be used: ${this.cause}. Check that DATA_DIR can be written to`
  }
}
