import { globSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

const root = new URL('../../', import.meta.url)
const text = (file: string) => readFileSync(new URL(file, root), 'utf8')

type Trigger = { meta: { title: string; description: string }; triggerSpec: { type: string } }

/** What the team of a protocol wants to be told, and the recipes that tell it. */
export const needs: Readonly<Record<string, readonly string[]>> = {
  'a withdrawal of more than $100,000 from a vault of a dollar token': ['vault-withdrawal'],
  'the share price moves by 2 % within an hour': ['share-price'],
  'the assets fall by 10 % within an hour': ['tvl-drop'],
  'the oracle is stale': ['oracle-age'],
  'oracle and pool differ by 5 %': ['oracle-deviation'],
  'a role is granted or revoked': ['roles'],
  'the ownership is transferred': ['ownership'],
  'a proxy is upgraded': ['proxy-upgrade'],
  'a timelock call is scheduled, executed or cancelled': ['timelock'],
  'a governor proposal is created, queued or executed; a vote is about to end': ['governor', 'vote-ends'],
  'a Safe executes, fails or changes its owners, threshold or modules': ['safe'],
  'a contract is paused or unpaused': ['pause-and-unpause'],
  'an unlimited approval to an unknown spender': ['unknown-spender'],
  'a new pool, and its events in the same block': ['new-pool', 'pool-of-factory'],
  'failed transactions to the vault': ['failed-calls-of-vault'],
  'a delegatecall': ['delegatecall'],
  'twenty events in one transaction': ['burst-in-transaction'],
  'a keeper is short of ether for ten minutes': ['keeper-balance'],
  'no heartbeat for five minutes': ['keeper-silent'],
  'the gas price': ['gas-price'],
  'a sanctioned list': ['listed-address'],
  'ERC-721 of a collection': ['collection'],
  'shares are covered by assets': ['shares-covered'],
  'a thousand in a block': ['storm'],
  'a reorg after an alert': ['final-mint'],
  'twelve confirmations': ['final-mint'],
  'the sum of withdrawals in an hour': ['outflow'],
}

/** The recipes of `docs/cookbook/` with their files, and the monitors of `examples/`. */
export function cookbookParts(): string[] {
  const recipes = globSync('docs/cookbook/triggers/*.yaml', { cwd: root }).toSorted()
  const monitors = globSync('examples/triggers/*.json', { cwd: root }).toSorted()
  return [
    'Each recipe is a definition file. Copy it into the folder of your stack, change names and addresses, then `tocsin plan` and `tocsin apply` ([cli.md](../cli.md)). The tests of this repository run every recipe on a sample, and the monitors on a real node.',
    '## What a protocol team wants to be told',
    'Without JavaScript of its own:',
    Object.entries(needs).map(needLine).join('\n'),
    '## Recipes',
    ...recipes.map(recipePart),
    '## Monitors',
    'With reads of contracts, prices and states: [examples](../../examples/README.md).',
    monitors.map(monitorPart).join('\n'),
  ]
}

function needLine([need, recipes]: [string, readonly string[]]): string {
  const links = recipes.map((name) => {
    const { meta } = parse(text(`docs/cookbook/triggers/${name}.yaml`)) as Trigger
    return `[${meta.title}](#${meta.title
      .toLowerCase()
      .replaceAll(/[^a-z0-9 ]/g, '')
      .replaceAll(' ', '-')})`
  })
  return `- ${need}: ${links.join(', ')}`
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
