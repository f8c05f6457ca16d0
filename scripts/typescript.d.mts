export const serviceFlags: string[]
export const serviceEnvironment: Record<string, string>
