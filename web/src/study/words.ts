// Numbers of runs in sentences.

/** 12,345 */
export const plainNumber = (count: number): string => count.toLocaleString("en-US");

/** "1 run", "12,345 runs" */
export const counted = (count: number, what: string): string => `${plainNumber(count)} ${what}${count === 1 ? "" : "s"}`;
