const at = '2026-01-01T00:00:00.000Z'
const ownPasskey = 'ZXhhbXBsZS1wYXNza2V5'
/** Fields whose values differ from run to run, and cannot be told by their look. */
const ownValues: Readonly<Record<string, unknown>> = {
  token: 'example-token',
  invite: 'example-invite',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Tocsin:ann%40example.org?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tocsin',
  code: '123456',
  recoveryCodes: ['3f7k-9qzd-m2xt', '8w4n-c6vb-r1yp'],
  challenge: 'ZXhhbXBsZS1jaGFsbGVuZ2U',
  planHash: 'a1b2c3d4',
  expectedPlanHash: 'a1b2c3d4',
  fileName: 'icon.png',
  asset: 'icon.png',
  nonce: '00112233445566778899aabbccddeeff',
  signature: `0x${'5a'.repeat(65)}`,
  rawId: ownPasskey,
  clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4ifQ',
  attestationObject: 'o2NmbXRkbm9uZQ',
  authenticatorData: 'SZYN5YgOjGh0NBcP',
  latencyMs: 12,
  durationMs: 12,
  timestampMs: Date.parse(at),
  'webhook-timestamp': String(Date.parse(at) / 1000),
  timings: {},
}
/** A list shows its first entry. */
const listed = 1

/** The same with values that stay the same from run to run: names, times, ids and secrets. */
export function fixedValues<Value>(value: Value, url: string): Value {
  const ids = new Map<string, string>()
  const idOf = (id: string) => {
    if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`)
    return ids.get(id) ?? ''
  }
  const textOf = (text: string) =>
    text
      .replaceAll(url, 'https://tocsin.example.org')
      .replaceAll(new URL(url).host, 'tocsin.example.org')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, idOf)
      .replaceAll(/tcn_(\w+?)_[\w-]{20,}/g, 'tcn_$1_example')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, at)
      .replaceAll(/-[0-9a-f]{8}\b/g, '')
      .replaceAll(/\b([a-z]+)-\d+\b/g, '$1')
      .replaceAll(/Nonce: [0-9a-f]{32}/g, 'Nonce: 00112233445566778899aabbccddeeff')
      .replaceAll(/(?<=account:\n)0x[0-9a-fA-F]{40}/g, `0x${'11'.repeat(20)}`)
      .replaceAll(/0x[0-9a-f]{8}@/g, '0x11111111@')
      .replaceAll(/0x[0-9a-f]{4}…[0-9a-f]{4}/g, '0x1111…1111')
  const visit = (inner: unknown, key = ''): unknown => {
    if (inner === null || inner === undefined) return inner
    if (key in ownValues && typeof inner === typeof ownValues[key]) return ownValues[key]
    if (key === 'id' && /^([\w-]{22}|[\w-]{48})$/.test(String(inner))) return ownPasskey
    // The number of a log entry, which counts what the service logged before.
    if (key === 'id' && /^\d+$/.test(String(inner))) return '1'
    if (typeof inner === 'string') return textOf(inner)
    if (Array.isArray(inner))
      return inOrder(inner, url)
        .slice(0, listed)
        .map((each) => visit(each))
    if (typeof inner !== 'object') return inner
    return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, visit(each, name)]))
  }
  return visit(value) as Value
}

/** The order of a list may follow ids, which differ from run to run. */
function inOrder(list: readonly unknown[], url: string): readonly unknown[] {
  if (list.some((each) => typeof each !== 'object')) return list
  const keyed = list.map((each) => [JSON.stringify(fixedValues(each, url)), each] as const)
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}
