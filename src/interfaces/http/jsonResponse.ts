import { HttpServerResponse } from "effect/http"

/** A response with JSON that was written before. */
export const jsonResponse = (text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: "application/json" })
