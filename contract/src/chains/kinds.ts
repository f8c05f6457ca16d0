/** The kinds of chains, in the order in which lists show them. */
export const sourceKinds = ['evm', 'substrate', 'solana'] as const

/** The types of addresses. The address book has those of chains that sources never follow too. */
export const addressTypes = ['plain', 'ss58', 'evm', 'solana', 'bitcoin', 'cosmos'] as const
