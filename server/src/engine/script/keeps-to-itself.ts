import { type AnyNode, type Pattern, parse } from 'acorn'

/**
 * Whether a script, as far as its text tells, changes nothing but what it made itself. An engine may then give it one
 * world, whose built-ins cannot be changed, for all of its calls: nothing can be left behind in it. Otherwise each call
 * needs a world of its own. What the text does not tell is no danger: a change to a built-in then fails.
 */
export function keepsToItself(code: string): boolean {
  const nodes = nodesOf(parse(code, { ecmaVersion: 2024, sourceType: 'script' }))
  const own = new Set(nodes.flatMap(namesMade))
  return nodes.every((node) => !isReaching(node) && targetsOf(node).every((target) => isOwn(target, own)))
}

/** Words for what all calls in a world share, and for looking at how it is made. */
const reaching = new Set(
  `__defineGetter__ __defineSetter__ __proto__ callee caller captureStackTrace constructor defineProperties defineProperty
  eval Function getOwnPropertyDescriptor getOwnPropertyDescriptors getPrototypeOf globalThis isExtensible isFrozen isSealed
  prepareStackTrace prototype Proxy Reflect setPrototypeOf stackTraceLimit`.split(/\s+/),
)

function isReaching(node: AnyNode): boolean {
  if (node.type === 'ThisExpression' || node.type === 'WithStatement') return true
  if (node.type === 'Identifier') return reaching.has(node.name)
  return node.type === 'Literal' && typeof node.value === 'string' && reaching.has(node.value)
}

function namesMade(node: AnyNode): string[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return namesIn(node.id)
    case 'CatchClause':
      return node.param ? namesIn(node.param) : []
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [...(node.id ? [node.id.name] : []), ...node.params.flatMap(namesIn)]
    case 'ClassDeclaration':
    case 'ClassExpression':
      return node.id ? [node.id.name] : []
    default:
      return []
  }
}

function namesIn(pattern: Pattern): string[] {
  return leavesOf(pattern).flatMap((leaf) => (leaf.type === 'Identifier' ? [leaf.name] : []))
}

/** What a node writes to. */
function targetsOf(node: AnyNode): AnyNode[] {
  if (node.type === 'AssignmentExpression') return leavesOf(node.left)
  if (node.type === 'UpdateExpression') return [node.argument]
  if (node.type === 'UnaryExpression') return node.operator === 'delete' ? [node.argument] : []
  if (node.type !== 'ForInStatement' && node.type !== 'ForOfStatement') return []
  return node.left.type === 'VariableDeclaration' ? [] : leavesOf(node.left)
}

function leavesOf(pattern: Pattern): AnyNode[] {
  switch (pattern.type) {
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        leavesOf(property.type === 'RestElement' ? property.argument : property.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? leavesOf(element) : []))
    case 'AssignmentPattern':
      return leavesOf(pattern.left)
    case 'RestElement':
      return leavesOf(pattern.argument)
    default:
      return [pattern]
  }
}

/** A name that the script made, or something within what such a name stands for. */
function isOwn(target: AnyNode, own: ReadonlySet<string>): boolean {
  if (target.type === 'MemberExpression') return isOwn(target.object, own)
  if (target.type === 'ChainExpression' || target.type === 'ParenthesizedExpression')
    return isOwn(target.expression, own)
  return target.type === 'Identifier' && own.has(target.name)
}

/** Every node of a tree. Scripts can nest deeply, so it goes without recursion. */
function nodesOf(root: AnyNode): AnyNode[] {
  const nodes: AnyNode[] = [root]
  for (const node of nodes) for (const part of Object.values(node).flat()) if (isNode(part)) nodes.push(part)
  return nodes
}

function isNode(part: unknown): part is AnyNode {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'
}
