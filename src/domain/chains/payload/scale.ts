import * as P from "micro-packed"

/** The state chain's codec (SCALE), as far as payloads need it. */

const lengths = P.wrap<number>({
  encodeStream: (writer, length) => {
    if (length < 2 ** 6) return writer.byte(length << 2)
    if (length < 2 ** 14) return P.U16LE.encodeStream(writer, length << 2 | 1)
    P.U32LE.encodeStream(writer, length * 4 + 2)
  },
  decodeStream: (reader) => {
    const mode = reader.byte(true) & 3
    if (mode === 0) return reader.byte() >> 2
    if (mode === 1) return P.U16LE.decodeStream(reader) >> 2
    if (mode === 2) return P.U32LE.decodeStream(reader) >>> 2
    throw reader.err("a length of more than 30 bits")
  },
})

export const bytes = P.bytes(lengths)

export const list = <T>(item: P.CoderType<T>): P.CoderType<Array<T>> => P.array(lengths, item)

export const option = <T>(value: P.CoderType<T>): P.CoderType<P.Option<T>> => P.optional(P.bool, value)
