import { hashSignature } from '../abi/keccak.ts'
import { indexedCount } from '../abi/known-events.ts'
import { type AbiItem, readAbi } from '../abi/read-abi.ts'
import { selectorOf } from '../abi/selector.ts'
import { interfaces } from '../interfaces/index.ts'
import { type CodeFacts, constantsOf, findConstants } from './code-facts.ts'

/** The form of a log: its first topic and how many topics it has. */
export type LogForm = { topics: readonly string[] }
type Candidate = { item: AbiItem; hash: string }

let candidates: Promise<Candidate[][]> | undefined

/** The events and functions of common interfaces that the code of a contract or its recent logs show. */
export async function guessAbi(code: CodeFacts, logs: readonly LogForm[]): Promise<AbiItem[]> {
  candidates ??= Promise.all(interfaces.map(({ lines }) => readLines(lines)))
  const ofInterfaces = (await candidates).map((all) => {
    const functions = all.filter(({ item, hash }) => item.type === 'function' && code.selectors.has(hash))
    return { functions, events: all.filter(({ item }) => item.type === 'event') }
  })
  // Two interfaces may have an event of the same name. The one whose functions the code has is more likely.
  const likelyFirst = ofInterfaces.toSorted((a, b) => b.functions.length - a.functions.length)
  const all = likelyFirst.flatMap((each) => each.events)
  const events = pickEvents(all, topicsIn(code, all), logs)
  const functions = new Map(ofInterfaces.flatMap((each) => each.functions).map(({ item }) => [item.signature, item]))
  return [...events, ...functions.values()]
}

/** Topics in the code, as constants of instructions or as data. */
function topicsIn({ words, codes }: CodeFacts, events: readonly Candidate[]): ReadonlySet<string> {
  const constants = constantsOf(events.map(({ hash }) => hash.slice(2)))
  const inData = codes.flatMap((code) => [...findConstants(code, constants)].map((constant) => `0x${constant}`))
  return new Set([...words, ...inData])
}

function pickEvents(all: readonly Candidate[], topics: ReadonlySet<string>, logs: readonly LogForm[]): AbiItem[] {
  const bySignature = Map.groupBy(all, ({ item }) => item.signature)
  return [...bySignature.values()].flatMap((forms) => {
    const seen = forms.filter(({ item, hash }) =>
      logs.some(({ topics }) => topics[0] === hash && topics.length === 1 + indexedCount(item)),
    )
    if (seen.length > 0) return seen.map(({ item }) => item)
    const [likely] = forms
    return likely && topics.has(likely.hash) ? [likely.item] : []
  })
}

async function readLines(lines: readonly string[]): Promise<Candidate[]> {
  const abi = await readAbi(lines, 'event')
  if (!abi.ok) throw new Error(`a bundled interface ${abi.message}`)
  return abi.items.map((item) => ({
    item,
    hash: item.type === 'event' ? hashSignature(item.signature) : selectorOf(item.signature),
  }))
}
