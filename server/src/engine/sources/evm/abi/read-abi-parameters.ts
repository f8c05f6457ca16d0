/** A parameter with its canonical type: a tuple is written as `(address,uint256)`. */
export type AbiParameter = { type: string; name?: string; indexed: boolean }

const typePattern = /^(address|bool|string|function|tuple|bytes\d*|u?int\d*|u?fixed\w*)((?:\[\d*\])*)$/
const typeLengthMax = 100
const levelsMax = 16
const parametersMax = 20_000

/** One reader counts the parameters of a whole ABI, because a struct of some lines is expanded at each use. */
export type ParameterReader = (inputs: unknown, owner: string) => AbiParameter[]

export function parameterReader(): ParameterReader {
  let left = parametersMax
  const readAll = (inputs: unknown, owner: string, level: number): AbiParameter[] => {
    if (!Array.isArray(inputs)) throw new Error(`${owner} has no list of parameters`)
    if (level > levelsMax) throw new Error(`tuples have more than ${levelsMax} levels`)
    left -= inputs.length
    if (left < 0) throw new Error(`it has more than ${parametersMax} parameters`)
    return inputs.map((input, index) => readOne(input, `parameter ${index} of ${owner}`, level))
  }
  const readOne = (input: unknown, where: string, level: number): AbiParameter => {
    if (typeof input !== 'object' || input === null) throw new Error(`${where} is not an object`)
    const { type, name, indexed, components } = input as Record<string, unknown>
    const parts = typeof type === 'string' && type.length <= typeLengthMax ? typePattern.exec(type) : null
    if (!parts) throw new Error(`${where} has an unknown type`)
    const [, base = '', arrays = ''] = parts
    const inner = base === 'tuple' ? readAll(components, where, level + 1) : undefined
    return {
      type: (inner ? `(${inner.map((each) => each.type).join(',')})` : canonicalBase(base, where)) + arrays,
      ...(typeof name === 'string' && { name }),
      indexed: indexed === true,
    }
  }
  return (inputs, owner) => readAll(inputs, owner, 0)
}

function canonicalBase(base: string, where: string): string {
  if (base === 'int' || base === 'uint') return `${base}256`
  if (!isSized(base)) throw new Error(`${where} has an unknown type`)
  return base
}

/** Integers have whole bytes up to 256 bits, fixed bytes up to 32. */
function isSized(base: string): boolean {
  const integer = /^u?int(\d+)$/.exec(base)
  if (integer) return Number(integer[1]) >= 8 && Number(integer[1]) <= 256 && Number(integer[1]) % 8 === 0
  const bytes = /^bytes(\d+)$/.exec(base)
  if (bytes) return Number(bytes[1]) >= 1 && Number(bytes[1]) <= 32
  return !base.startsWith('fixed') && !base.startsWith('ufixed')
}
