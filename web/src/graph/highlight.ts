import { createContext, useContext } from 'react';

// Nodes and edges on the path that is shown; null when none is.
export const Route = createContext<{ nodes: Set<string>; edges: Set<string> } | null>(null);
export const useRoute = () => useContext(Route);
