// biome-ignore-all lint/style/useTemplate: QuickJS builds templates by a method call, which costs more
/** A parameter with its canonical type; a tuple keeps its components. */
export type Parameter = { type: string; name: string; indexed: boolean; components?: Parameter[] | undefined }
export type AbiItem = {
  type: string
  name: string
  signature: string
  inputs: Parameter[]
  isAnonymous: boolean
  /** A human-readable event without `indexed` marks. */
  isUnmarked: boolean
}

/**
 * Reads an ABI inside the sandbox, which gets this function as source text, so it must use nothing from outside. It accepts
 * JSON text, an item, a list, or human-readable lines. It returns the items of the type `expected`; a line without a keyword
 * is one. Reading an item costs tens of microseconds in QuickJS, so it skips items of other types and, if the number of
 * topics of a log is given, events that have another number.
 */
export function makeAbiReader(): (abi: unknown, expected: string, topicsCount?: number) => AbiItem[] {
  type Fields = Record<string, unknown>
  const itemTypes = /^(?:event|function|error|constructor|fallback|receive)$/
  const keyword = /^(event|function|error|struct|constructor|fallback|receive)\b\s*/
  const [itemsMax, depthMax] = [500, 16]

  const bad = (message: string): never => {
    throw new TypeError('the ABI is not valid: ' + message)
  }

  const readText = (text: string): unknown => {
    if (!/^\s*[[{"]/.test(text)) return text.split('\n').filter((line) => line.trim() !== '')
    try {
      return JSON.parse(text)
    } catch {
      return bad('it is not JSON')
    }
  }

  const isFields = (value: unknown): value is Fields =>
    typeof value === 'object' && value !== null && !Array.isArray(value)

  const plainTypes = new Map<string, string>()

  /** An ABI repeats few types, so each is read once. */
  const typeOf = (text: string, components: Parameter[] | undefined): string => {
    const known = components ? undefined : plainTypes.get(text)
    if (known !== undefined) return known
    const type = readType(text, components)
    if (!components) plainTypes.set(text, type)
    return type
  }

  const readType = (text: string, components: Parameter[] | undefined): string => {
    const [, base = '', size = '', arrays = ''] =
      /^(tuple|address|bool|string|function|bytes|u?int)(\d*)((?:\[\d*\])*)$/.exec(text) ?? []
    const bits = Number(size)
    if (base === 'tuple' && size === '' && components)
      return '(' + components.map(({ type }) => type).join(',') + ')' + arrays
    if (/int$/.test(base) && (size === '' || (bits >= 8 && bits <= 256 && bits % 8 === 0)))
      return base + (size || '256') + arrays
    if (base === 'bytes' && (size === '' || (bits >= 1 && bits <= 32))) return base + size + arrays
    if (/^(?:address|bool|string|function)$/.test(base) && size === '') return base + arrays
    return bad('unknown type ' + text.slice(0, 60))
  }

  const parameterOf = (json: unknown, depth: number): Parameter => {
    if (!isFields(json) || typeof json.type !== 'string') return bad('a parameter has no type')
    if (depth > depthMax) return bad('its tuples are nested too deeply')
    const components = /^tuple/.test(json.type) ? parametersOf(json.components, depth + 1) : undefined
    const name = typeof json.name === 'string' ? json.name : ''
    return { type: typeOf(json.type, components), name, indexed: json.indexed === true, components }
  }

  const parametersOf = (list: unknown, depth = 0): Parameter[] =>
    Array.isArray(list) ? list.map((each) => parameterOf(each, depth)) : bad('parameters must be a list')

  const itemOf = (json: unknown, isLine: boolean): AbiItem => {
    if (!isFields(json)) return bad('an item must be an object or a line of text')
    const { type = 'function', name = '', inputs = [] } = json
    if (typeof type !== 'string' || !itemTypes.test(type)) return bad('an item has an unknown type')
    const needsName = /^(?:event|function|error)$/.test(type)
    if (typeof name !== 'string' || (needsName && !/^[A-Za-z_$][\w$]*$/.test(name))) return bad('an item has no name')
    const parameters = parametersOf(inputs)
    const isAnonymous = json.anonymous === true
    const isUnmarked = isLine && type === 'event' && !isAnonymous && !parameters.some(({ indexed }) => indexed)
    const signature = name + '(' + parameters.map((each) => each.type).join(',') + ')'
    return { type, name, signature, inputs: parameters, isAnonymous, isUnmarked }
  }

  /** Splits at separators outside brackets. */
  const split = (text: string, separator: string): string[] => {
    if (!text.includes('(')) return trimmed(text.split(separator))
    const parts: string[] = []
    let depth = 0
    let from = 0
    for (let at = 0; at <= text.length; at++) {
      const character = text[at]
      if (character === '(') depth++
      if (character === ')') depth--
      if (at < text.length && (character !== separator || depth > 0)) continue
      parts.push(text.slice(from, at))
      from = at + 1
    }
    return trimmed(parts)
  }

  const trimmed = (parts: string[]): string[] => parts.map((part) => part.trim()).filter((part) => part !== '')

  const lineParameters = (text: string, separator: string, structs: Map<string, string>, depth: number): Fields[] =>
    split(text, separator).map((part) => lineParameter(part, structs, depth))

  const lineParameter = (text: string, structs: Map<string, string>, depth: number): Fields => {
    if (depth > depthMax) return bad('its structs contain themselves or are nested too deeply')
    const tuple = /^(?:tuple\s*)?\((.*)\)((?:\[\d*\])*)\s*(.*)$/s.exec(text)
    const [, word = '', arrays = '', after = ''] = /^([\w$]+)((?:\[\d*\])*)\s*(.*)$/s.exec(text) ?? []
    const struct = structs.get(word)
    const words = (tuple ? (tuple[3] ?? '') : after)
      .split(/\s+/)
      .filter((each) => !/^(?:|calldata|memory|storage)$/.test(each))
    const indexed = words.includes('indexed')
    const [name = '', ...more] = words.filter((each) => each !== 'indexed')
    if (more.length > 0 || (!tuple && word === '')) return bad('cannot read the parameter ' + text.slice(0, 60))
    if (!tuple && struct === undefined) return { type: word + arrays, name, indexed }
    const components = tuple
      ? lineParameters(tuple[1] ?? '', ',', structs, depth + 1)
      : lineParameters(struct ?? '', ';', structs, depth + 1)
    return { type: 'tuple' + (tuple ? (tuple[2] ?? '') : arrays), name, indexed, components }
  }

  /** Finds the bracket that closes the first one. */
  const closing = (text: string, open: number): number => {
    const first = text.indexOf(')', open)
    if (first >= 0 && !text.slice(open + 1, first).includes('(')) return first
    let depth = 0
    for (let at = open; at < text.length; at++) {
      if (text[at] === '(') depth++
      if (text[at] === ')' && --depth === 0) return at
    }
    return bad('a line has an open bracket')
  }

  const lineOf = (line: string, expected: string, structs: Map<string, string>): Fields => {
    const [head = '', word = expected] = keyword.exec(line) ?? []
    const rest = line.slice(head.length)
    const open = rest.indexOf('(')
    if (open < 0) return bad('cannot read the line ' + line.slice(0, 60))
    const close = closing(rest, open)
    const inputs = lineParameters(rest.slice(open + 1, close), ',', structs, 0)
    return {
      type: word,
      name: rest.slice(0, open).trim(),
      inputs,
      anonymous: /^\s*anonymous\b/.test(rest.slice(close + 1)),
    }
  }

  const isWanted = (json: unknown, expected: string, topicsCount: number | undefined): boolean => {
    if (!isFields(json) || json.type === undefined) return !isFields(json) || expected === 'function'
    if (json.type !== expected) return typeof json.type !== 'string' || !itemTypes.test(json.type)
    if (topicsCount === undefined || !Array.isArray(json.inputs)) return true
    let topics = json.anonymous === true ? 0 : 1
    for (const input of json.inputs) if (isFields(input) && input.indexed === true) topics++
    return topics === topicsCount
  }

  /** A line without marks may fit any number of topics. */
  const isWantedLine = (line: string, expected: string, topicsCount: number | undefined): boolean => {
    const word = keyword.exec(line)?.[1]
    if (word !== undefined && word !== expected) return false
    const marks = topicsCount === undefined ? 0 : line.split(/\bindexed\b/).length - 1
    return marks === 0 || marks === topicsCount || marks + 1 === topicsCount
  }

  return (abi, expected, topicsCount) => {
    const read = typeof abi === 'string' ? readText(abi) : abi
    const list = Array.isArray(read) ? read : [read]
    if (list.length > itemsMax) return bad('it has more than ' + itemsMax + ' items')
    const lines = list.map((each) => (typeof each === 'string' ? each.trim().replace(/\s*;$/, '') : each))
    const structs = new Map<string, string>()
    for (const line of lines) {
      const [, name, body = ''] = (typeof line === 'string' && /^struct\s+([\w$]+)\s*\{(.*)\}$/s.exec(line)) || []
      if (name !== undefined) structs.set(name, body)
    }
    return lines.flatMap((line) => {
      if (typeof line !== 'string') return isWanted(line, expected, topicsCount) ? [itemOf(line, false)] : []
      return isWantedLine(line, expected, topicsCount) ? [itemOf(lineOf(line, expected, structs), true)] : []
    })
  }
}
