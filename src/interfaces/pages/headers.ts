/**
 * What pages may do: load the style, the script and pictures of this service, talk to it and send forms to it. Nothing
 * that got into a page could run, load or be sent elsewhere, and no other page can hold one of these in a frame.
 */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** Headers of every answer with a page or a file of one, besides those of all answers. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": policy,
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-robots-tag": "noindex, nofollow",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
