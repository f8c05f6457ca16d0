import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const root = new URL('../../', import.meta.url)
const text = (file: string) => readFileSync(new URL(file, root), 'utf8')

type Trigger = { meta: { title: string; description: string }; triggerSpec: { type: string } }

/** The recipes of `docs/cookbook/` with their files, and the monitors of `examples/`. */
export function cookbookParts(): string[] {
  const recipes = globSync('docs/cookbook/triggers/*.yaml', { cwd: root }).toSorted()
  const monitors = globSync('examples/triggers/*.json', { cwd: root }).toSorted()
  return [
    'Each recipe is a definition file. Copy it into the folder of your stack, change names and addresses, then `tocsin plan` and `tocsin apply` ([cli.md](../cli.md)). The tests of this repository run every recipe on a sample, and the monitors on a real node.',
    '## Recipes',
    ...recipes.map(recipePart),
    '## Monitors',
    'With reads of contracts, prices and states: [examples](../../examples/README.md).',
    monitors.map(monitorPart).join('\n'),
  ]
}

function recipePart(file: string): string {
  const { meta, triggerSpec } = parse(text(file)) as Trigger
  const subscription = text(file.replace('triggers', 'subscriptions'))
  const own = subscription
    .split('\n')
    .filter((line) => !/^(key|workspace|project|trigger|inputs|resources|meta| {2}title)\b/.test(line))
  const rules = own.join('\n').trim()
  const parts = [`### ${meta.title}`, `${meta.description} (\`${triggerSpec.type}\`)`, fence(text(file))]
  return [...parts, ...(rules === 'conditions: null' ? [] : ['In its subscription:', fence(rules)])].join('\n\n')
}

function monitorPart(file: string): string {
  const { meta, triggerSpec } = JSON.parse(text(file)) as Trigger
  return `- [${meta.title}](../../${file}) (\`${triggerSpec.type}\`): ${meta.description}`
}

function fence(code: string): string {
  return `\`\`\`yaml\n${code.trim()}\n\`\`\``
}
