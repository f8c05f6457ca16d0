import { readFileSync, statSync } from 'node:fs'
import { Explorer, isSegment, NativeCurrency, SourceKind, VerifyMode } from '@tocsin/contract'
import * as z from 'zod'
import type { PublicNetwork } from './chain-rules.ts'
import { listRules } from './chains.ts'
import { type NetworkFacts, networkFacts } from './network-facts.ts'

/** A built-in public network. It is not followed until the operator configures an endpoint. */
export type Network = Readonly<NetworkFacts> &
  Readonly<{
    /** `common.<network>` */
    fullname: string
    title: string
    endpoints: readonly string[]
    /** EVM: how much of a block is checked, if the operator's file sets it. */
    verify?: 'bloom' | 'receipts'
    /** The start of the service, or the modification time of the operator's file. */
    updatedAt: Date
  }>

type Known = PublicNetwork & { kind: SourceKind }

/** The public networks of all chains by their full names. */
function builtIn(): Map<string, Known> {
  return new Map(
    listRules().flatMap(({ description: { kind }, networks = {} }) =>
      Object.entries(networks).map(([name, network]) => [`common.${name}`, { ...network, kind }]),
    ),
  )
}

const schemes = ['http:', 'https:', 'ws:', 'wss:']
const Endpoint = z
  .string()
  .refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), 'must be an http(s) or ws(s) URL')
const Entry = z.strictObject({
  endpoints: z.array(Endpoint).max(10).default([]),
  title: z.string().min(1).max(200).optional(),
  kind: SourceKind.optional(),
  verify: VerifyMode.optional(),
  explorer: Explorer.optional(),
  nativeCurrency: NativeCurrency.optional(),
})

/**
 * The built-in networks with the endpoints of the operator's file, which may also add networks:
 * `{"common.ethereum": {"endpoints": ["https://…"]}, "common.mine": {"title": "Mine", "kind": "evm", "endpoints": […]}}`.
 */
export function loadNetworks(
  file: string | undefined,
  startedAt: Date = new Date(performance.timeOrigin),
): readonly Network[] {
  const networks = new Map<string, Network>()
  for (const [fullname, { title, kind, identity }] of builtIn())
    networks.set(fullname, { fullname, title, ...networkFacts(kind, identity), endpoints: [], updatedAt: startedAt })
  for (const network of file === undefined ? [] : readNetworks(file)) networks.set(network.fullname, network)
  return [...networks.values()].sort((a, b) => (a.fullname < b.fullname ? -1 : 1))
}

function readNetworks(file: string): Network[] {
  const updatedAt = readOr(file, () => statSync(file).mtime)
  const content: unknown = readOr(file, () => JSON.parse(readFileSync(file, 'utf8')))
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw wrong(file, 'must be a JSON object of networks by name')
  return Object.entries(content).map(([fullname, entry]) => ({ ...readEntry(file, fullname, entry), updatedAt }))
}

function readEntry(file: string, fullname: string, content: unknown): Omit<Network, 'updatedAt'> {
  if (!fullname.startsWith('common.') || !isSegment(fullname.slice('common.'.length)))
    throw wrong(file, `"${fullname}" must be "common." and a name of a-z, 0-9 and inner hyphens`)
  const parsed = Entry.safeParse(content)
  if (!parsed.success) throw wrong(file, firstIssue(fullname, parsed.error))
  const known = builtIn().get(fullname)
  const kind = known?.kind ?? parsed.data.kind
  if (!kind) throw wrong(file, `"${fullname}.kind" is required for a network that does not come with the service`)
  if (known && parsed.data.kind && parsed.data.kind !== known.kind)
    throw wrong(file, `"${fullname}.kind" is "${known.kind}" and cannot be changed`)
  const { title = known?.title ?? fullname, endpoints, verify } = parsed.data
  const facts = networkFacts(kind, known?.identity ?? {}, parsed.data)
  return { fullname, title, ...facts, endpoints, ...(verify && { verify }) }
}

function firstIssue(fullname: string, error: z.ZodError): string {
  const [issue] = error.issues
  return `"${[fullname, ...(issue?.path ?? [])].join('.')}": ${issue?.message ?? 'is not valid'}`
}

function readOr<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw wrong(file, error instanceof Error ? error.message : String(error))
  }
}

function wrong(file: string, what: string): Error {
  return new Error(`The sources file ${file} is wrong: ${what}.`)
}
