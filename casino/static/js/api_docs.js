// The API's description, drawn by Swagger UI. What changes something is shown and not sent: a token
// and a program are for that.
SwaggerUIBundle({
  url: document.getElementById("api").dataset.schema,
  dom_id: "#api",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  supportedSubmitMethods: ["get"],
  validatorUrl: null,
});
