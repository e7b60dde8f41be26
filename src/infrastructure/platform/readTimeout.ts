/** The client did not ask for the next part of an answer in time. */
export class Unread extends Error {
  constructor(millis: number) {
    super(`Nobody read on for ${millis} ms`)
  }
}

/**
 * A body that ends when it is not read: each part has to be taken, and the next asked for, within `millis`. The time
 * that its source takes to make a part does not count. Otherwise a client that reads nothing would keep its connection,
 * and all that stands behind the answer, for as long as it likes.
 */
export const readTimeout = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  millis: number,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(timer)
      const part = await reader.read()
      if (part.done) return controller.close()
      controller.enqueue(part.value)
      timer = setTimeout(() => {
        const unread = new Unread(millis)
        controller.error(unread)
        reader.cancel(unread).catch(() => undefined)
      }, millis)
    },
    async cancel(reason) {
      clearTimeout(timer)
      await reader.cancel(reason)
    },
  }, { highWaterMark: 0 })
}
