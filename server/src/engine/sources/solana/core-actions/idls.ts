/**
 * The one instruction of the token program that the SPL transfer watches. Native programs number instructions with one
 * byte.
 */
export const tokenProgramIdl = {
  address: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  metadata: { name: 'spl_token', version: '3.3.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'transferChecked',
      discriminator: [12],
      accounts: [
        { name: 'source', writable: true },
        { name: 'mint' },
        { name: 'destination', writable: true },
        { name: 'authority', signer: true },
      ],
      args: [
        { name: 'amount', type: 'u64' },
        { name: 'decimals', type: 'u8' },
      ],
    },
  ],
}

/** The swap event of Jupiter's aggregator, version 6. */
export const jupiterIdl = {
  address: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4',
  metadata: { name: 'jupiter', version: '0.1.0', spec: '0.1.0' },
  instructions: [],
  events: [{ name: 'SwapEvent', discriminator: [64, 198, 205, 232, 38, 8, 113, 226] }],
  types: [
    {
      name: 'SwapEvent',
      type: {
        kind: 'struct',
        fields: [
          { name: 'amm', type: 'pubkey' },
          { name: 'inputMint', type: 'pubkey' },
          { name: 'inputAmount', type: 'u64' },
          { name: 'outputMint', type: 'pubkey' },
          { name: 'outputAmount', type: 'u64' },
        ],
      },
    },
  ],
}
