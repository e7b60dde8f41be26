import { Schema } from "effect"

/** There is no account of this name. */
export class AccountUnknown extends Schema.TaggedError<AccountUnknown>()("AccountUnknown", {
  name: Schema.String,
}) {
  override get message(): string {
    // The requested name is not repeated: it may be a key in the wrong place.
    return "There is no account of this name"
  }
}

/** An account of this name exists already. */
export class AccountExists extends Schema.TaggedError<AccountExists>()("AccountExists", {
  name: Schema.String,
}) {
  override get message(): string {
    return `There is an account "${this.name}" already`
  }
}

/** No key has this id. */
export class KeyUnknown extends Schema.TaggedError<KeyUnknown>()("KeyUnknown", { id: Schema.String }) {
  override get message(): string {
    return "There is no key with this id"
  }
}

/** The change would leave nobody who can operate the service, at once or when the keys that are left expire. */
export class LastOperator extends Schema.TaggedError<LastOperator>()("LastOperator", {}) {
  override get message(): string {
    return 'Afterwards no key with the scope "operate" would work, or none that does not expire, and nobody could ' +
      "operate the service then: issue another one without an end first, to an account that is not suspended"
  }
}
