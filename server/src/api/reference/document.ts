/** The parts of the OpenAPI document that the reference page reads. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
}
export type Media = { schema?: Schema; examples?: Record<string, { value?: unknown }>; example?: unknown }
export type Parameter = {
  name: string
  in: string
  required: boolean
  description: string
  schema: Schema
  example?: string
}
export type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, { description: string; content?: Record<string, Media> }>
}
export type OpenApiDocument = {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { schemas: Record<string, Schema> }
}
/** An operation with where it is. */
export type Placed = Operation & { method: string; path: string }

export function operationsOf(document: OpenApiDocument): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

export function bodyExample(operation: Operation): unknown {
  const [example] = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
  return example?.value
}
