/** The token travels behind the `#`, which browsers keep to themselves: no server logs it. */
export function shareLink(token: string): string {
  return `${location.origin}/open#${token}`
}

/** What was pasted may be the token, our link, or the address of the API. */
export function tokenIn(text: string): string {
  return text.trim().split(/[#/]/).at(-1) ?? ''
}
