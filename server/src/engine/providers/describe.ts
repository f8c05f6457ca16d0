export const mask = '***'

/** The URL and the headers of a request, with values masked. */
export function describeTarget({ url, headers = {} }: { url: string; headers?: Record<string, string> }) {
  const names = Object.keys(headers)
  const masked = names.length > 0 ? { headers: Object.fromEntries(names.map((name) => [name, mask])) } : {}
  return { url: maskUrl(url), ...masked }
}

export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return mask
  const url = new URL(text)
  const path = url.pathname.split('/').map(maskSegment).join('/')
  const query = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${mask}`).join('&')
  return `${url.protocol}//${url.host}${path}${query === '' ? '' : `?${query}`}`
}

/** Masks a long segment with letters and digits, which may be a key. EVM addresses and hashes begin with 0x and are shown. */
function maskSegment(segment: string): string {
  const isKey = segment.length >= 20 && /\d/.test(segment) && /[a-z]/i.test(segment) && !/^0x[\da-f]+$/i.test(segment)
  return isKey ? mask : segment
}
