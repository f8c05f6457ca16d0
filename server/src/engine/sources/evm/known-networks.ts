import type { KnownNetwork } from '../chain-rules.ts'

const ether = { name: 'Ether', symbol: 'ETH', decimals: 18 }
const coin = (name: string, symbol: string) => ({ name, symbol, decimals: 18 })
const explorer = (name: string, url: string) => ({ name, url })

/** Public EVM networks by their chain id. */
export const knownEvmNetworks: ReadonlyMap<string, KnownNetwork> = new Map(
  Object.entries({
    1: { name: 'Ethereum', nativeCurrency: ether, explorer: explorer('Etherscan', 'https://etherscan.io') },
    10: {
      name: 'OP Mainnet',
      nativeCurrency: ether,
      explorer: explorer('Etherscan', 'https://optimistic.etherscan.io'),
    },
    25: {
      name: 'Cronos',
      nativeCurrency: coin('Cronos', 'CRO'),
      explorer: explorer('Cronoscan', 'https://cronoscan.com'),
    },
    56: {
      name: 'BNB Smart Chain',
      nativeCurrency: coin('BNB', 'BNB'),
      explorer: explorer('BscScan', 'https://bscscan.com'),
    },
    97: {
      name: 'BNB Smart Chain Testnet',
      nativeCurrency: coin('BNB', 'tBNB'),
      explorer: explorer('BscScan', 'https://testnet.bscscan.com'),
    },
    100: {
      name: 'Gnosis',
      nativeCurrency: coin('xDAI', 'xDAI'),
      explorer: explorer('Gnosisscan', 'https://gnosisscan.io'),
    },
    130: { name: 'Unichain', nativeCurrency: ether, explorer: explorer('Uniscan', 'https://uniscan.xyz') },
    137: {
      name: 'Polygon PoS',
      nativeCurrency: coin('POL', 'POL'),
      explorer: explorer('PolygonScan', 'https://polygonscan.com'),
    },
    146: {
      name: 'Sonic',
      nativeCurrency: coin('Sonic', 'S'),
      explorer: explorer('SonicScan', 'https://sonicscan.org'),
    },
    324: {
      name: 'ZKsync Era',
      nativeCurrency: ether,
      explorer: explorer('ZKsync Explorer', 'https://explorer.zksync.io'),
    },
    480: { name: 'World Chain', nativeCurrency: ether, explorer: explorer('Worldscan', 'https://worldscan.org') },
    1284: {
      name: 'Moonbeam',
      nativeCurrency: coin('Glimmer', 'GLMR'),
      explorer: explorer('Moonscan', 'https://moonscan.io'),
    },
    1285: {
      name: 'Moonriver',
      nativeCurrency: coin('Moonriver', 'MOVR'),
      explorer: explorer('Moonscan', 'https://moonriver.moonscan.io'),
    },
    5000: {
      name: 'Mantle',
      nativeCurrency: coin('Mantle', 'MNT'),
      explorer: explorer('Mantlescan', 'https://mantlescan.xyz'),
    },
    8453: { name: 'Base', nativeCurrency: ether, explorer: explorer('BaseScan', 'https://basescan.org') },
    42161: { name: 'Arbitrum One', nativeCurrency: ether, explorer: explorer('Arbiscan', 'https://arbiscan.io') },
    42220: {
      name: 'Celo',
      nativeCurrency: coin('Celo', 'CELO'),
      explorer: explorer('Celoscan', 'https://celoscan.io'),
    },
    43114: {
      name: 'Avalanche C-Chain',
      nativeCurrency: coin('Avalanche', 'AVAX'),
      explorer: explorer('Snowscan', 'https://snowscan.xyz'),
    },
    59144: { name: 'Linea', nativeCurrency: ether, explorer: explorer('LineaScan', 'https://lineascan.build') },
    80002: {
      name: 'Polygon Amoy',
      nativeCurrency: coin('POL', 'POL'),
      explorer: explorer('PolygonScan', 'https://amoy.polygonscan.com'),
    },
    80094: {
      name: 'Berachain',
      nativeCurrency: coin('Bera', 'BERA'),
      explorer: explorer('Berascan', 'https://berascan.com'),
    },
    81457: { name: 'Blast', nativeCurrency: ether, explorer: explorer('Blastscan', 'https://blastscan.io') },
    84532: {
      name: 'Base Sepolia',
      nativeCurrency: ether,
      explorer: explorer('BaseScan', 'https://sepolia.basescan.org'),
    },
    421614: {
      name: 'Arbitrum Sepolia',
      nativeCurrency: ether,
      explorer: explorer('Arbiscan', 'https://sepolia.arbiscan.io'),
    },
    534352: { name: 'Scroll', nativeCurrency: ether, explorer: explorer('Scrollscan', 'https://scrollscan.com') },
    560048: {
      name: 'Ethereum Hoodi',
      nativeCurrency: ether,
      explorer: explorer('Etherscan', 'https://hoodi.etherscan.io'),
    },
    11155111: {
      name: 'Ethereum Sepolia',
      nativeCurrency: ether,
      explorer: explorer('Etherscan', 'https://sepolia.etherscan.io'),
    },
    11155420: {
      name: 'OP Sepolia',
      nativeCurrency: ether,
      explorer: explorer('Etherscan', 'https://sepolia-optimism.etherscan.io'),
    },
  }),
)
