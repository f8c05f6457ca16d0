// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method call, which costs more
import type { AbiItem, Parameter } from './guest-abi.ts'
import type { Codec } from './guest-codec.ts'

type ReadAbi = (abi: unknown, expected: string, topicsCount?: number) => AbiItem[]
type Context = { helpers: object }
type Hash = (text: string) => string

/** Returns the function that adds the ABI helpers to the context of a call. The sandbox gets it as source text. */
export function addAbiHelpers(firstLine: number, readAbi: ReadAbi, codec: Codec) {
  const charsMax = 512 * 1024

  const hexOf = (value: unknown, name: string): string => {
    if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value))
      throw new TypeError(name + ' must be bytes as 0x hex')
    if (value.length > charsMax) throw new RangeError(name + ' is too long')
    return value.toLowerCase()
  }

  const isUsable = ({ name }: Parameter): boolean => name !== '' && !/^__proto__$/.test(name)

  const paramsOf = (inputs: readonly Parameter[], args: readonly unknown[]): Record<string, unknown> =>
    Object.fromEntries(inputs.flatMap((input, index) => (isUsable(input) ? [[input.name, args[index]]] : [])))

  const decodeFunction = (hash: Hash) => (abi: unknown, data: unknown) => {
    const text = hexOf(data, 'data')
    for (const { name, signature, inputs } of readAbi(abi, 'function')) {
      if (text.slice(0, 10) !== hash(signature).slice(0, 10)) continue
      try {
        const args = codec.decode(inputs, text.slice(10))
        return { name, signature, args, params: paramsOf(inputs, args) }
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
    }
    return null
  }

  const topicsOf = (log: unknown): { topics: string[]; data: string } => {
    const fields = new Map<string, unknown>(Object.entries(log ?? {}))
    const topics = fields.get('topics')
    if (!Array.isArray(topics)) throw new TypeError('decodeLog needs {topics, data}')
    return { topics: topics.map((topic) => hexOf(topic, 'a topic')), data: hexOf(fields.get('data'), 'data') }
  }

  /** Without marks, all or no inputs may be indexed. Anything else cannot be known. */
  const marked = (item: AbiItem, topicsCount: number): Parameter[] => {
    const { name, inputs, isUnmarked } = item
    if (!isUnmarked || topicsCount === 1) return inputs
    if (topicsCount - 1 === inputs.length) return inputs.map((input) => ({ ...input, indexed: true }))
    throw new TypeError('write indexed before the name of each indexed parameter of ' + name)
  }

  const decodeEvent = (item: AbiItem, topics: readonly string[], data: string) => {
    const first = item.isAnonymous ? 0 : 1
    const inputs = marked(item, topics.length)
    if (topics.length !== first + inputs.filter(({ indexed }) => indexed).length) return undefined
    const inData = inputs.filter(({ indexed }) => !indexed)
    const values = codec.decode(inData, data.slice(2))
    // An anonymous event is recognised only by its data, which must be exactly as encoded.
    if (item.isAnonymous && '0x' + codec.encode(inData, values) !== data) return undefined
    let [topic, value] = [first, 0]
    const args = inputs.map((input) =>
      input.indexed ? codec.readTopic(input, topics[topic++] ?? '') : values[value++],
    )
    return { event: item.name, args, params: paramsOf(inputs, args) }
  }

  const decodeLog = (hash: Hash) => (abi: unknown, log: unknown) => {
    const { topics, data } = topicsOf(log)
    for (const item of readAbi(abi, 'event', topics.length)) {
      if (!item.isAnonymous && topics[0] !== hash(item.signature)) continue
      try {
        const decoded = decodeEvent(item, topics, data)
        if (decoded) return decoded
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
      }
    }
    return null
  }

  /** The first function that accepts the arguments. If none does, the error of the last one. */
  const encodeFunction =
    (hash: Hash) =>
    (abi: unknown, args: unknown = []): string => {
      const functions = readAbi(abi, 'function')
      let refusal: unknown = new TypeError('the ABI has no function')
      for (const { signature, inputs } of functions) {
        try {
          return hash(signature).slice(0, 10) + codec.encode(inputs, args)
        } catch (error) {
          refusal = error
        }
      }
      throw refusal
    }

  /** The position of an error is then the tenant's own line: the code of the helpers begins at this line. */
  const withoutOwnFrames = (error: unknown): unknown => {
    const isOwn = (frame: string): boolean => Number(/:(\d+):\d+\)?$/.exec(frame)?.[1]) >= firstLine
    if (error instanceof Error && typeof error.stack === 'string')
      error.stack = error.stack
        .split('\n')
        .filter((frame) => !isOwn(frame))
        .join('\n')
    return error
  }

  const guard =
    (helper: (first: unknown, second?: unknown) => unknown) =>
    (first: unknown, second?: unknown): unknown => {
      try {
        return helper(first, second)
      } catch (error) {
        // A stack holds ten calls, so a new error here still shows the tenant's call.
        throw withoutOwnFrames(error instanceof TypeError ? new TypeError(error.message) : error)
      }
    }

  return (context: Context, hash: Hash): Context => {
    const added = {
      decodeFunction: guard(decodeFunction(hash)),
      decodeLog: guard(decodeLog(hash)),
      encodeFunction: guard(encodeFunction(hash)),
    }
    for (const helper of Object.values(added)) Object.freeze(helper)
    context.helpers = Object.freeze({ ...context.helpers, ...added })
    return context
  }
}
