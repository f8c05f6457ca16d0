import { bodyExample, type Placed } from './document.ts'

export type Language = 'curl' | 'sdk' | 'cli'

/** The commands of the CLI that do the work of an operation. */
const commands: Readonly<Record<string, string>> = {
  planStack: 'tocsin plan',
  applyStack: 'tocsin apply --yes',
  validateTriggerDraft: 'tocsin validate',
  backtestTrigger: 'tocsin backtest acme.monitors.large-transfers --blocks 1000',
  testTriggerBlock: 'tocsin trigger test acme.monitors.large-transfers --block 23000000',
  getTriggerLogs: 'tocsin logs acme.monitors.large-transfers',
  listAlerts: 'tocsin alerts',
  streamEvents: 'tocsin alerts --follow',
}

/** The same call in each language. An operation without a command of the CLI has no sample of it. */
export function samplesOf(operation: Placed): Partial<Record<Language, string>> {
  const command = commands[operation.operationId]
  return { curl: curl(operation), sdk: sdk(operation), ...(command !== undefined && { cli: command }) }
}

function curl(operation: Placed): string {
  const { method, security } = operation
  const body = bodyExample(operation)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$TOCSIN_URL${filledPath(operation)}"`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $TOCSIN_TOKEN"'] : []),
    ...(operation.operationId === 'streamEvents' ? ['-N'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${quoted(JSON.stringify(body, null, 2))}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** A single quote ends the text in a shell, so it is written outside of it. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

function sdk(operation: Placed): string {
  const { operationId, parameters } = operation
  const body = bodyExample(operation)
  const given = parameters.filter((each) => each.in === 'path')
  const args = [
    ...given.map(({ name, example }) => `${name}: ${JSON.stringify(example ?? '…')}`),
    ...(body === undefined ? [] : [`body: ${JSON.stringify(body, null, 2)}`]),
  ]
  const call = `client.${operationId === 'streamEvents' ? 'stream' : operationId}(${args.length > 0 ? `{ ${args.join(', ')} }` : ''})`
  const use =
    operationId === 'streamEvents'
      ? `for await (const event of ${call}) console.log(event)`
      : `const answer = await ${call}`
  return `import { createClient } from '@tocsin/sdk'\n\nconst client = createClient({ baseUrl: url, token })\n${use}`
}

export function filledPath({ path, parameters }: Placed): string {
  return path.replace(/\{(\w+)\}/g, (whole, name) => parameters.find((each) => each.name === name)?.example ?? whole)
}
