import type { Requirement } from '../conditions/index.ts'
import { parsePath } from '../paths.ts'
import { headWords, type WordType, wordTypeOf } from './abi-words.ts'
import type { EvmLogKeys, RawLog } from './keys.ts'
import { orderOf } from './order.ts'
import type { Placed } from './place.ts'

const hash = wordTypeOf('bytes32')
const address = wordTypeOf('address')

/** Where a requirement of a log is read without decoding it. Undefined: only decoding tells. */
export function placeInLog({ path, is, value }: Requirement, keys: EvmLogKeys): Placed<RawLog> | undefined {
  const word = wordAt(path, keys)
  if (!word?.type) return undefined
  const { name, type, read } = word
  const field = `${name} ${type.name} ${is}`
  if (is === 'same') return { field, is, read: (log) => partOf(read(log), type.part), key: type.encode(value) }
  const { order } = type
  return order && { field, is, read: (log) => partOf(read(log), order), key: orderOf(value) }
}

type Word = { name: string; type: WordType | undefined; read(log: RawLog): string | undefined }

function wordAt(path: string, keys: EvmLogKeys): Word | undefined {
  const [root, name = '', ...deeper] = parsePath(path)
  if (deeper.length > 0) return undefined
  if (root === 'address' && name === '') return { name: root, type: address, read: (log) => padded(log.address) }
  if (root === 'topics' && /^[0-3]$/.test(name)) return topicAt(Number(name), hash)
  if (root === 'params') return inputAt(inputNamed(name, keys), keys)
  return root === 'args' ? inputAt(Number(name), keys) : undefined
}

/** Two inputs of one name cannot be told apart by it. */
function inputNamed(name: string, { inputs = [] }: EvmLogKeys): number {
  const found = inputs.flatMap((input, index) => (input.name === name ? [index] : []))
  return found.length === 1 ? (found[0] ?? -1) : -1
}

function inputAt(index: number, keys: EvmLogKeys): Word | undefined {
  const { inputs = [] } = keys
  const input = inputs[index]
  if (!input) return undefined
  const type = wordTypeOf(input.type)
  const before = inputs.slice(0, index).filter((each) => Boolean(each.indexed) === Boolean(input.indexed))
  if (input.indexed) return topicAt(before.length + (keys.anonymous ? 0 : 1), type)
  return wordOfData(
    before.reduce((sum, each) => sum + headWords(each), 0),
    type,
  )
}

function topicAt(at: number, type: WordType | undefined): Word {
  return { name: `topic ${at}`, type, read: ({ topics }) => topics[at] }
}

function wordOfData(at: number, type: WordType | undefined): Word {
  const start = 2 + 64 * at
  const read = ({ data }: RawLog) => {
    if (data.length < start + 64) return undefined
    return data.length === 66 ? data : `0x${data.slice(start, start + 64)}`
  }
  return { name: `data ${at}`, type, read }
}

function padded(text: string): string {
  return `0x${text.slice(2).toLowerCase().padStart(64, '0')}`
}

function partOf<Part>(word: string | undefined, part: (word: string) => Part): Part | undefined {
  return word === undefined ? undefined : part(word)
}
