/** An instruction: code, target register, source register, offset, immediate value. */
export type Instruction = readonly [code: number, to: number, from: number, offset: number, value: number]
export type Line = Instruction | { label: string } | { jump: Instruction; to: string } | { call: string }

type Section = {
  name: string
  type: number
  flags: number
  content: Buffer
  link?: number
  info?: number
  entry?: number
}
type Placed = Section & { at: number }
type Call = { at: number; symbol: string }

const headers = 64 + 3 * 56
const symbolSize = 24

/** The smallest ELF that the loader accepts: code, and the names of the system calls that are linked at load time. */
export function program(lines: readonly Line[]): Uint8Array {
  const { code, calls } = assemble(lines)
  const names = ['entrypoint', ...new Set(calls.map(({ symbol }) => symbol))]
  const strings = Buffer.from(`\0${names.join('\0')}\0`)
  const symbols = Buffer.alloc(symbolSize * (1 + names.length))
  const relocations = Buffer.alloc(16 * calls.length)
  const dynamic = Buffer.alloc(16 * 10)
  const placed = place([
    { name: '', type: 0, flags: 0, content: Buffer.alloc(0) },
    { name: '.text', type: 1, flags: 6, content: code },
    { name: '.dynamic', type: 6, flags: 3, content: dynamic, link: 4, entry: 16 },
    { name: '.dynsym', type: 11, flags: 2, content: symbols, link: 4, info: 1, entry: symbolSize },
    { name: '.dynstr', type: 3, flags: 2, content: strings },
    { name: '.rel.dyn', type: 9, flags: 2, content: relocations, link: 3, entry: 16 },
    {
      name: '.shstrtab',
      type: 3,
      flags: 0,
      content: Buffer.from('\0.text\0.dynamic\0.dynsym\0.dynstr\0.rel.dyn\0.shstrtab\0'),
    },
  ])
  const at = (name: string) => placed.find((section) => section.name === name)?.at ?? 0
  for (const [index, name] of names.entries()) {
    const start = symbolSize * (1 + index)
    symbols.writeUInt32LE(strings.indexOf(`\0${name}\0`) + 1, start)
    symbols[start + 4] = 0x10
    if (index === 0) write(symbols, start + 6, [1n | (BigInt(at('.text')) << 16n)])
  }
  for (const [index, { at: line, symbol }] of calls.entries())
    write(relocations, 16 * index, [at('.text') + 8 * line, (BigInt(1 + names.indexOf(symbol)) << 32n) | 10n])
  write(dynamic, 0, [
    ...[0x1e, 4, 0x11, at('.rel.dyn'), 0x12, relocations.length, 0x13, 16, 6, at('.dynsym'), 0xb, symbolSize],
    ...[5, at('.dynstr'), 0xa, strings.length, 0x16, 0],
  ])
  return wholeFile(placed)
}

function assemble(lines: readonly Line[]): { code: Buffer; calls: Call[] } {
  const labels = new Map<string, number>()
  let count = 0
  for (const line of lines) {
    if ('label' in line) labels.set(line.label, count)
    else count += 1
  }
  const calls: Call[] = []
  const instructions: Buffer[] = []
  for (const line of lines) {
    const at = instructions.length
    if ('call' in line) calls.push({ at, symbol: line.call })
    if (!('label' in line)) instructions.push(encode(line, at, labels))
  }
  return { code: Buffer.concat(instructions), calls }
}

function encode(line: Exclude<Line, { label: string }>, at: number, labels: Map<string, number>): Buffer {
  if ('call' in line) return bytes([0x85, 0, 1, 0, -1])
  if (!('jump' in line)) return bytes(line)
  const [code, to, from, , value] = line.jump
  return bytes([code, to, from, (labels.get(line.to) ?? 0) - at - 1, value])
}

function bytes([code, to, from, offset, value]: Instruction): Buffer {
  const buffer = Buffer.alloc(8)
  buffer[0] = code
  buffer[1] = (from << 4) | to
  buffer.writeInt16LE(offset, 2)
  buffer.writeInt32LE(value, 4)
  return buffer
}

function place(sections: Section[]): Placed[] {
  let end = headers
  return sections.map((section) => {
    const at = (end + 7) & ~7
    end = at + section.content.length
    return { ...section, at: section.content.length === 0 ? 0 : at }
  })
}

function wholeFile(sections: Placed[]): Buffer {
  const last = sections.at(-1)
  const tableAt = ((last ? last.at + last.content.length : 0) + 7) & ~7
  const file = Buffer.alloc(tableAt + 64 * sections.length)
  const [, text, dynamic, symbols, , relocations] = sections
  if (!text || !dynamic || !symbols || !relocations || !last) throw new Error('sections are missing')
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  // A shared object (3) for machine 247, version 1; then the offsets of code and tables.
  write(file, 16, [3n | (247n << 16n) | (1n << 32n), text.at, 64, tableAt])
  for (const [index, value] of [64, 56, 3, 64, sections.length, sections.length - 1].entries())
    file.writeUInt16LE(value, 52 + 2 * index)
  const readOnly = relocations.at + relocations.content.length - symbols.at
  const segments: [kind: number, flags: number, at: number, size: number, align: number][] = [
    [1, 5, text.at, text.content.length, 4096],
    [1, 4, symbols.at, readOnly, 4096],
    [2, 6, dynamic.at, dynamic.content.length, 8],
  ]
  for (const [index, [kind, flags, at, size, align]] of segments.entries())
    write(file, 64 + 56 * index, [BigInt(kind) | (BigInt(flags) << 32n), at, at, at, size, size, align])
  for (const [index, { name, type, flags, content, at, link = 0, info = 0, entry = 0 }] of sections.entries()) {
    file.set(content, at)
    const nameAt = last.content.indexOf(`${name}\0`)
    const address = flags === 0 ? 0 : at
    const header = [BigInt(nameAt) | (BigInt(type) << 32n), flags, address, at, content.length]
    write(file, tableAt + 64 * index, [...header, BigInt(link) | (BigInt(info) << 32n), 8, entry])
  }
  return file
}

function write(buffer: Buffer, at: number, values: readonly (number | bigint)[]): void {
  for (const [index, value] of values.entries()) buffer.writeBigUInt64LE(BigInt(value), at + 8 * index)
}
