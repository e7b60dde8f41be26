import { Schema } from "effect"
import { Scope } from "#domain/accounts/Key.ts"

/** There is no account of this name. */
export class AccountUnknown extends Schema.TaggedError<AccountUnknown>()("AccountUnknown", {
  name: Schema.String,
}) {
  override get message(): string {
    // The requested name is not repeated: it may be a key in the wrong place.
    return "No account has this name"
  }
}

export class AccountExists extends Schema.TaggedError<AccountExists>()("AccountExists", {
  name: Schema.String,
}) {
  override get message(): string {
    return `An account named "${this.name}" already exists`
  }
}

export class KeyUnknown extends Schema.TaggedError<KeyUnknown>()("KeyUnknown", { id: Schema.String }) {
  override get message(): string {
    return "No API key has this ID"
  }
}

/** A key was to be issued with scopes that the issuing key does not hold itself (decision 45). */
export class ScopesNotHeld extends Schema.TaggedError<ScopesNotHeld>()("ScopesNotHeld", {
  scopes: Schema.Array(Scope),
}) {
  override get message(): string {
    const named = this.scopes.map((scope) => `"${scope}"`).join(", ")
    return `This API key cannot issue a key with ${named}, which it does not have itself. Choose other scopes, or use ` +
      "a key that has them"
  }
}

/** The change would leave nobody who can operate the service, at once or when the keys that are left expire. */
export class LastOperator extends Schema.TaggedError<LastOperator>()("LastOperator", {}) {
  override get message(): string {
    return 'This is the last API key with the scope "operate" that is active and does not expire. Issue another one first, to ' +
      "an account that is not suspended"
  }
}

/** Why nothing is done to a key. */
export type KeyRefusal = KeyUnknown | LastOperator | ScopesNotHeld
