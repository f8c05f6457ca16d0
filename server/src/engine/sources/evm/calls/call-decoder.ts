import type { SourceItem } from '../../../base/source-item.ts'
import type { ChainBlock } from '../../block.ts'
import type { EvmItem } from '../abi/abi-items.ts'
import { decoderOf } from '../abi/codec.ts'
import { paramsMaker } from '../abi/make-params.ts'
import type { EvmCall } from '../contents.ts'
import { fingerprint, SharedDecoders } from '../decoder-pool.ts'
import type { AbiInput } from '../match-keys.ts'
import { errorsOf } from './call-error.ts'
import { argsFrom, callItem, type DecodedCall, methodIdOf, undecoded } from './call-items.ts'
import { type EvmCallSpec, type SpecFunction, specFunctions } from './spec-functions.ts'

type FunctionDecoder = { inputs: readonly AbiInput[]; decode(input: string): DecodedCall | undefined }

/** Decodes calls to items by the functions of a spec. */
export type CallDecoder = {
  /** By selector; undefined means that it accepts every call and does not decode it. */
  functions: ReadonlyMap<string, FunctionDecoder> | undefined
  /** Undefined when the call is of none of its functions. Equal calls give the same object, which nobody may change. */
  itemOf(block: ChainBlock, timestamp: number, call: EvmCall): SourceItem | undefined
}

const shared = new SharedDecoders<CallDecoder>()

/** Specs with the same functions share one decoder while one of them is in use. */
export async function callDecoder(spec: EvmCallSpec): Promise<CallDecoder> {
  const { abiFragment, method, internal = false } = spec
  const written = fingerprint(['as written', abiFragment, method, internal])
  const known = shared.find(written)
  if (known) return known
  const functions = await specFunctions(spec)
  const errors = await errorsOf(abiFragment)
  const decoder = shared.findOrAdd(fingerprint([functions ?? 'any', internal, [...errors.keys()]]), () =>
    makeDecoder(functions, internal, errors),
  )
  return shared.findOrAdd(written, () => decoder)
}

function makeDecoder(
  functions: readonly SpecFunction[] | undefined,
  internal: boolean | 'auto',
  errors: ReadonlyMap<string, EvmItem>,
): CallDecoder {
  const bySelector = functions && new Map(functions.toReversed().map((each) => [each.selector, functionDecoder(each)]))
  let [lastBlock, lastCall, lastItem]: [ChainBlock?, EvmCall?, SourceItem?] = []
  const decode = (call: EvmCall) => {
    if (!bySelector) return undecoded
    return bySelector.get(methodIdOf(call) ?? '')?.decode(call.input)
  }
  return {
    functions: bySelector,
    itemOf(block, timestamp, call) {
      if (lastCall === call && lastBlock === block) return lastItem
      const decoded = decode(call)
      lastBlock = block
      lastCall = call
      lastItem = decoded && callItem(block, timestamp, call, decoded, internal ? call.output : null, errors)
      return lastItem
    },
  }
}

function functionDecoder({ item }: SpecFunction): FunctionDecoder {
  if (!item) return { inputs: [], decode: () => undecoded }
  const { name, inputs } = item
  const decodeArgs = decoderOf(inputs)
  const makeParams = paramsMaker(inputs)
  return {
    inputs,
    decode(input) {
      try {
        const args = decodeArgs(input, argsFrom)
        return { method: name, args, params: makeParams(args) }
      } catch {
        return undefined
      }
    },
  }
}
