import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * The console's session: an http-only, same-site cookie, and a second cookie with a token that only our own pages can
 * read.
 */

const sessionName = 'tocsin_session'
const csrfName = 'tocsin_csrf'

export function readSessionCookie(header: string | undefined): string | undefined {
  return readCookie(header, sessionName)
}

export function readCookie(header: string | undefined, wanted: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [name, value] = part.trim().split('=', 2)
    if (name === wanted && value) return decoded(value)
  }
  return undefined
}

/** A token that the operator chose may contain characters that a cookie may not. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

export function sessionCookies(token: string, options: { secure: boolean; days: number }): string[] {
  const rest = `Path=/; SameSite=Strict; Max-Age=${options.days * 86_400}${options.secure ? '; Secure' : ''}`
  return [
    `${sessionName}=${encodeURIComponent(token)}; HttpOnly; ${rest}`,
    `${csrfName}=${csrfTokenOf(token)}; ${rest}`,
  ]
}

export const stateName = 'tocsin_oidc'

/** The state of a visit to the identity provider. Not strict, because the provider sends the browser back. */
export function stateCookie(state: string, { secure }: { secure: boolean }): string {
  return `${stateName}=${state}; HttpOnly; Path=/api/auth/oidc; SameSite=Lax; Max-Age=600${secure ? '; Secure' : ''}`
}

export function clearedCookies(): string[] {
  return [sessionName, csrfName].map((name) => `${name}=; Path=/; SameSite=Strict; Max-Age=0`)
}

/** Derived from the session, so it is not stored. Another site can neither read nor guess it. */
function csrfTokenOf(sessionToken: string): string {
  return createHash('sha256').update(`csrf ${sessionToken}`).digest('base64url')
}

export function isCsrfToken(given: string | undefined, sessionToken: string): boolean {
  const wanted = Buffer.from(csrfTokenOf(sessionToken))
  const found = Buffer.from(given ?? '')
  return wanted.length === found.length && timingSafeEqual(wanted, found)
}
