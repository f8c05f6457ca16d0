/** A parameter with its canonical type: a tuple is written as `(address,uint256)`. */
export type AbiParameter = { type: string; name?: string; indexed: boolean }

const typePattern = /^(address|bool|string|function|tuple|bytes\d*|u?int\d*|u?fixed\w*)((?:\[\d*\])*)$/

export function readParameters(inputs: unknown, owner: string): AbiParameter[] {
  if (!Array.isArray(inputs)) throw new Error(`${owner} has no list of parameters`)
  return inputs.map((input, index) => readParameter(input, `parameter ${index} of ${owner}`))
}

function readParameter(input: unknown, where: string): AbiParameter {
  if (typeof input !== 'object' || input === null) throw new Error(`${where} is not an object`)
  const { type, name, indexed, components } = input as Record<string, unknown>
  const parts = typeof type === 'string' ? typePattern.exec(type) : null
  if (!parts) throw new Error(`${where} has an unknown type`)
  const [, base = '', arrays = ''] = parts
  return {
    type: canonicalBase(base, components, where) + arrays,
    ...(typeof name === 'string' && { name }),
    indexed: indexed === true,
  }
}

function canonicalBase(base: string, components: unknown, where: string): string {
  if (base === 'tuple')
    return `(${readParameters(components, where)
      .map((each) => each.type)
      .join(',')})`
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
