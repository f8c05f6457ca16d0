import { Failure } from '../failure.ts'

/** The address of a server without a slash at its end. */
export function requireServerUrl(text: string): string {
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isHttp) throw new Failure('invalid_url', `"${text}" is not the address of a server: write http://… or https://…`)
  return text.replace(/(?<!\/)\/+$/, '')
}
