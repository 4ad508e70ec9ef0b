// The twelve calls of the comparison: the mistakes that models make most.

const user = {
  type: "object",
  properties: {
    username: { type: "string", minLength: 3, maxLength: 20, pattern: "^[a-zA-Z0-9_]+$" },
    email: { type: "string", format: "email" },
    age: { type: "integer", minimum: 18, maximum: 120 },
    role: { type: "string", enum: ["admin", "moderator", "user", "guest"] },
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 5, uniqueItems: true },
  },
  required: ["username", "email"],
  additionalProperties: false,
};

const right = { username: "octo_user", email: "you@example.com" };

const shape = {
  type: "object",
  properties: {
    shape: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["kind", "radius"],
          additionalProperties: false,
        },
        {
          type: "object",
          properties: { kind: { const: "square" }, side: { type: "number" } },
          required: ["kind", "side"],
          additionalProperties: false,
        },
      ],
    },
  },
  required: ["shape"],
};

export const cases = [
  { name: "A required property is missing", schema: user, arguments: { username: "octo_user" } },
  { name: "A number is out of range", schema: user, arguments: { ...right, age: 1100 } },
  { name: "A number is sent as a string", schema: user, arguments: { ...right, age: "30" } },
  { name: "An enum value is misspelt", schema: user, arguments: { ...right, role: "moderater" } },
  { name: "An enum value is in the wrong case", schema: user, arguments: { ...right, role: "Admin" } },
  { name: "A property is misspelt", schema: user, arguments: { username: "octo_user", emial: "you@example.com" } },
  { name: "An array is sent as a JSON string", schema: user, arguments: { ...right, tags: '["a","b"]' } },
  { name: "A string is too short and has a wrong character", schema: user, arguments: { ...right, username: "a!" } },
  { name: "A union, with the discriminator right", schema: shape, arguments: { shape: { kind: "square", side: "2 m" } } },
  { name: "A union, with the discriminator wrong", schema: shape, arguments: { shape: { kind: "sqare", side: 2 } } },
  {
    name: "A condition asks for another property",
    schema: {
      type: "object",
      properties: { kind: { type: "string" }, path: { type: "string" } },
      if: { properties: { kind: { const: "file" } }, required: ["kind"] },
      then: { required: ["path"] },
    },
    arguments: { kind: "file" },
  },
  { name: "Everything at once", schema: user, arguments: { username: "a!", age: "15", role: "Admin", tags: [], nickname: "octo" } },
];
