/**
 * QuickJS creates most built-in functions at their first access, so each call would create them again, since each call
 * starts from the same saved state. This function accesses the most used ones once, before the state is saved. The sandbox
 * gets it as source text, so it must use nothing from outside.
 */
export function touchBuiltins() {
  const common: [object, string][] = [
    [Object, 'assign entries freeze fromEntries hasOwn keys values'],
    [Object.prototype, 'hasOwnProperty toString valueOf'],
    [Array, 'from isArray'],
    [Array.prototype, 'at concat entries every filter find findIndex flat flatMap forEach includes indexOf join keys'],
    [Array.prototype, 'map pop push reduce reverse shift slice some sort splice values'],
    [String.prototype, 'at charAt charCodeAt concat endsWith includes indexOf lastIndexOf match padEnd padStart'],
    [String.prototype, 'repeat replace replaceAll slice split startsWith substring toLowerCase toString toUpperCase'],
    [String.prototype, 'trim'],
    [Number, 'isFinite isInteger isNaN isSafeInteger parseFloat parseInt'],
    [Number.prototype, 'toFixed toString'],
    [BigInt, 'asIntN asUintN'],
    [BigInt.prototype, 'toString'],
    [Math, 'abs ceil floor log10 max min pow round sign sqrt trunc'],
    [Date, 'now parse UTC'],
    [Date.prototype, 'getTime getUTCDate getUTCFullYear getUTCHours getUTCMinutes getUTCMonth toISOString toJSON'],
    [RegExp.prototype, 'exec test'],
    [Map.prototype, 'get has set'],
    [Set.prototype, 'add has'],
  ]
  for (const [owner, names] of common) for (const name of names.split(' ')) Reflect.get(owner, name)
  for (const symbol of [Symbol.replace, Symbol.split, Symbol.match]) Reflect.get(RegExp.prototype, symbol)
}
