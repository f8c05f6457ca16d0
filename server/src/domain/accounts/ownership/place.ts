import { isIPv4 } from 'node:net'

/** A place is a neighbourhood of IP addresses and a kind of browser: what changes rarely for one person. */
export function placeText({ ip, userAgent }: { ip: string; userAgent: string }): string {
  return `${neighbourhood(ip)} ${clientKind(userAgent)}`
}

/** The first 24 bits of an IPv4 address, the first 48 of an IPv6 address. */
function neighbourhood(ip: string): string {
  const plain = ip.replace(/^::ffff:/i, '')
  if (isIPv4(plain)) return plain.split('.').slice(0, 3).join('.')
  const [head = ''] = plain.split('::')
  return [...head.split(':'), '0', '0', '0'].slice(0, 3).join(':')
}

const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Such as `Firefox on Linux`, or the name of a program without its version. */
export function clientKind(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser) return `${browser} on ${systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'another system'}`
  return /^[A-Za-z][\w-]{0,29}(?=[/ ]|$)/.exec(userAgent)?.[0] ?? 'another program'
}
