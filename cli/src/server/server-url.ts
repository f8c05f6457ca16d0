import { Failure } from '../failure.ts'

/** The address of a server without a slash at its end. */
export function requireServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // `https://tocsin.example.org@other.example` looks like one server and is another.
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isHttp) throw new Failure('invalid_url', `"${text}" is not the address of a server: write http://… or https://…`)
  return text.replace(/(?<!\/)\/+$/, '')
}
