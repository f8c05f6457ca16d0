import type { Issue } from '@tocsin/contract'
import { placeholderPattern } from '../base/placeholders.ts'

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const urlMax = 8192

/** Requires http(s), ignoring placeholders. If the URL begins with a placeholder, only a run can check it. */
export function checkUrl(url: string, path: string): Issue[] {
  if (url.length > urlMax) return [{ path, message: `must be at most ${urlMax} characters` }]
  if (url.trimStart().startsWith('{{')) return []
  const plain = url.replaceAll(placeholderPattern, '0')
  const isHttp = URL.canParse(plain) && /^https?:$/.test(new URL(plain).protocol)
  return isHttp ? [] : [{ path, message: 'must be an http or https URL' }]
}

/** A line break in a header value would add another header. */
export function checkHeaders(headers: Record<string, string>, path: string): Issue[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    ...(headerName.test(name) ? [] : [{ path: `${path}.${name}`, message: 'is not a valid header name' }]),
    ...(hasControls(value) ? [{ path: `${path}.${name}`, message: 'must not contain control characters' }] : []),
  ])
}

function hasControls(text: string): boolean {
  return [...text].some((character) => (character < ' ' && character !== '\t') || character === '\x7f')
}
