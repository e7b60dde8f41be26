import { Predicate, Schema } from "effect"

/** A JSON number as it was written, every digit of it. */
export class NumberText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object of parsed JSON and where it stands. */
export interface Found {
  readonly path: string
  readonly object: Readonly<Record<string, unknown>>
}

declare global {
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown
  }
}

/** Writes a value as the API does. */
export const encode = <A>(schema: Schema.Codec<A, unknown>, value: A): string =>
  JSON.stringify(Schema.encodeSync(Schema.toCodecJson(schema))(value))

/** Reads JSON without losing a digit of its numbers. */
export const parseExactly = (text: string): unknown =>
  JSON.parse(text, (_, value, { source = "" }) => typeof value === "number" ? new NumberText(source) : value)

/** Every object of a JSON value, outermost first. */
export const objectsIn = (json: unknown, path = "$"): ReadonlyArray<Found> => {
  if (json instanceof NumberText) return []
  if (Array.isArray(json)) return json.flatMap((item, index) => objectsIn(item, `${path}[${index}]`))
  if (!Predicate.isObject(json)) return []
  const object = Object.fromEntries(Object.entries(json))
  const inner = Object.entries(object).flatMap(([name, value]) => objectsIn(value, `${path}.${name}`))
  return [{ path, object }, ...inner]
}
