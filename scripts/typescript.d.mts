export const serviceFlags: string[]
