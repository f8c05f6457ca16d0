import { type AnyNode, type Pattern, parse } from 'acorn'

/**
 * Decides from the syntax tree if a script changes only values that it created. V8 can then run all calls of the script in
 * one realm with frozen built-ins. Any other script needs a fresh realm for each call. A script that hides a change from
 * this check does no harm: the change fails on the frozen built-ins.
 */
export function staysIsolated(code: string): boolean {
  const nodes = nodesOf(parse(code, { ecmaVersion: 2024, sourceType: 'script' }))
  const declared = new Set(nodes.flatMap(declaredNames))
  return nodes.every((node) => !usesSharedName(node) && targetsOf(node).every((target) => isOwn(target, declared)))
}

/** Names that give access to values that all calls in a realm share, or to how they are defined. */
const sharedNames = new Set(
  `__defineGetter__ __defineSetter__ __proto__ callee caller captureStackTrace constructor defineProperties defineProperty
  eval Function getOwnPropertyDescriptor getOwnPropertyDescriptors getPrototypeOf globalThis isExtensible isFrozen isSealed
  prepareStackTrace prototype Proxy Reflect setPrototypeOf stackTraceLimit`.split(/\s+/),
)

function usesSharedName(node: AnyNode): boolean {
  if (node.type === 'ThisExpression' || node.type === 'WithStatement') return true
  if (node.type === 'Identifier') return sharedNames.has(node.name)
  return node.type === 'Literal' && typeof node.value === 'string' && sharedNames.has(node.value)
}

function declaredNames(node: AnyNode): string[] {
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

/** Returns the expressions that a node assigns to. */
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

/** True for a name that the script declares, and for a property of its value. */
function isOwn(target: AnyNode, declared: ReadonlySet<string>): boolean {
  if (target.type === 'MemberExpression') return isOwn(target.object, declared)
  if (target.type === 'ChainExpression' || target.type === 'ParenthesizedExpression')
    return isOwn(target.expression, declared)
  return target.type === 'Identifier' && declared.has(target.name)
}

/** Lists every node of a tree without recursion, since scripts can nest deeply. */
function nodesOf(root: AnyNode): AnyNode[] {
  const nodes: AnyNode[] = [root]
  for (const node of nodes) for (const part of Object.values(node).flat()) if (isNode(part)) nodes.push(part)
  return nodes
}

function isNode(part: unknown): part is AnyNode {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string'
}
