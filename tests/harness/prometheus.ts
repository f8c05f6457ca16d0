/** Reads and checks the text that Prometheus scrapes. */

export type Family = {
  name: string
  type: string
  help: string
  samples: { name: string; labels: Record<string, string>; value: number }[]
}

export function readExposition(text: string): Family[] {
  const families = new Map<string, Family>()
  const familyOf = (name: string) => {
    const known = families.get(name) ?? { name, type: 'untyped', help: '', samples: [] }
    families.set(name, known)
    return known
  }
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (kind === 'HELP') familyOf(name).help = rest
    else if (kind === 'TYPE') familyOf(name).type = rest
    else if (line !== '' && !line.startsWith('#')) addSample(families, familyOf, line)
  }
  return [...families.values()]
}

function addSample(families: ReadonlyMap<string, Family>, familyOf: (name: string) => Family, line: string): void {
  const [, name, labels = '', value] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (name === undefined) throw new Error(`not a sample: ${line}`)
  const base = name.replace(/_(?:bucket|sum|count)$/, '')
  const family = families.get(base)?.type === 'histogram' ? familyOf(base) : familyOf(name)
  const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text])
  family.samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) })
}

/** The value of the only sample with these labels; undefined if there is none. */
export function sampleValue(families: readonly Family[], name: string, labels: Record<string, string> = {}) {
  const samples = families.flatMap((family) => family.samples).filter((sample) => sample.name === name)
  const found = samples.filter((sample) => Object.entries(labels).every(([key, text]) => sample.labels[key] === text))
  if (found.length > 1) throw new Error(`${found.length} samples of ${name} have these labels`)
  return found[0]?.value
}

/** Units that a name must not use, because Prometheus has one base unit for each quantity. */
const otherUnits =
  /_(?:milliseconds?|microseconds?|nanoseconds?|minutes?|hours?|days?|ms|us|ns|s|sec|kilobytes?|megabytes?|gigabytes?|kb|mb|gb|bits?|celsius_degrees|fahrenheit|percent|pct)(?:_total)?$/
const typeWords = /(?:^|_)(?:counter|gauge|histogram|summary|untyped)(?:_|$)/

/** The rules of `promtool check metrics`. Returns a line for each violation. */
export function lintExposition(families: readonly Family[]): string[] {
  return families.flatMap((family) =>
    rules.flatMap(([isWrong, rule]) => (isWrong(family) ? `${family.name}: ${rule}` : [])),
  )
}

const rules: readonly [isWrong: (family: Family) => boolean, rule: string][] = [
  [({ help }) => help === '', 'no help text'],
  [({ type }) => type === 'untyped', 'no type'],
  [({ name, type }) => type === 'counter' && !name.endsWith('_total'), 'a counter ends in _total'],
  [({ name, type }) => type !== 'counter' && name.endsWith('_total'), 'only a counter ends in _total'],
  [({ name, type }) => type !== 'histogram' && /_(?:bucket|sum|count)$/.test(name), 'a suffix of histograms'],
  [({ name }) => name.includes(':'), 'a colon is for recording rules'],
  [({ name, samples }) => /[A-Z]/.test([name, ...labelsOf(samples)].join()), 'names are in snake_case'],
  [({ name }) => otherUnits.test(name), 'not a base unit'],
  [({ name }) => typeWords.test(name), 'a name does not contain its type'],
  [({ type, samples }) => type !== 'histogram' && labelsOf(samples).includes('le'), 'the label le is for histograms'],
  [({ type, samples }) => type !== 'summary' && labelsOf(samples).includes('quantile'), 'quantile is for summaries'],
  [({ samples }) => new Set(samples.map(identityOf)).size < samples.length, 'a sample stands twice'],
]

function labelsOf(samples: Family['samples']): string[] {
  return [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
}

function identityOf({ name, labels }: Family['samples'][number]): string {
  return JSON.stringify([name, Object.entries(labels).toSorted()])
}
