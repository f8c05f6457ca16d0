/** The token is in the fragment, which browsers do not send, so no server logs it. */
export function shareLink(token: string): string {
  return `${location.origin}/open#${token}`
}

/** Accepts a token, a link of the console or a URL of the API. */
export function tokenIn(text: string): string {
  return text.trim().split(/[#/]/).at(-1) ?? ''
}
