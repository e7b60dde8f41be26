/**
 * A response with text, whose type is among `headers`. Headers are set one by one, which takes a tenth of the time
 * that the runtime takes for all at once: more than the rest of an answer.
 */
export const textResponse = (
  text: string,
  status: number,
  headers: ReadonlyArray<readonly [name: string, value: string]>,
): Response => {
  const response = status === 200 ? new Response(text) : new Response(text, { status })
  for (const [name, value] of headers) response.headers.set(name, value)
  return response
}
