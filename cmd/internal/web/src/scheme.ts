// Whether the system is dark, for what is drawn and follows no style sheet.

import { useEffect, useState } from "preact/hooks";

/** useScheme draws again when the system turns dark or light. */
export function useScheme(): boolean {
  const [dark, set] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const changed = () => set(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return dark;
}
