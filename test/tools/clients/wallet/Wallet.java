import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The whole flow of a wallet against the plain HTTP port, with the JDK alone: what there is, the limits of a pair, a quote,
 * an opening that is repeated, the payment, the status until the end, and the history. The arguments are the service's URL
 * and an API key. It pays in the sandbox, and prints what it saw as one line of JSON.
 */
public final class Wallet {
  private static final String SOURCE = "btc.btc";
  private static final String DESTINATION = "eth.eth";
  private static final String RECIPIENT = "0x2222222222222222222222222222222222222222";
  private static final String REFUND = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
  private static final int MOST_LOOKS = 60;

  /** Java's default asks plain HTTP for HTTP/2, and a request with a body is refused for that (quickstart). */
  private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String url;
  private final String key;
  /** Decimals by asset. */
  private final Map<String, Integer> decimals = new LinkedHashMap<>();
  private int links;
  private int dollars;
  private int twins;

  private Wallet(String url, String key) {
    this.url = url;
    this.key = key;
  }

  public static void main(String[] arguments) throws Exception {
    System.out.println(new Wallet(arguments[0], arguments[1]).swap());
  }

  private String swap() throws Exception {
    Instant began = Instant.now();
    Json networks = get("/networks", Map.of()).at("networks");
    for (Json asset : get("/assets", Map.of()).at("assets").list()) {
      decimals.put(asset.at("id").text(), asset.at("decimals").number().intValueExact());
    }
    Map<String, String> pair = Map.of("sourceAsset", SOURCE, "destinationAsset", DESTINATION);
    int minimums = 0;
    for (Json limits : get("/limits", pair).at("limits").list()) {
      if (!limits.has("minimumAmount")) continue;
      BigDecimal minimum = limits.at("minimumAmount").number();
      expect(native_(SOURCE, minimum).equals(limits.at("minimumAmountNative").text()), "a minimum lost digits");
      Map<String, String> there = with(pair, "platform", limits.at("platform").text());
      get("/quotes", with(there, "amount", minimum.toPlainString()));
      refused("/quotes", with(there, "amount", unitBelow(minimum).toPlainString()));
      minimums++;
    }

    String amount = "0.25000001";
    Json quote = get("/quotes", with(pair, "amount", amount)).list().get(0);
    checkAmount(quote, "ingress");
    checkAmount(quote, "egress");
    expect(quote.at("ingressAmount").number().equals(new BigDecimal(amount)), "the amount lost digits");
    BigDecimal price = quote.at("estimatedPrice").number();
    expect(price.toPlainString().equals(quote.at("estimatedPrice").source()), "the price lost digits");

    Map<String, Object> order = new LinkedHashMap<>(quote.at("swapParameters").members());
    order.put("quoteId", quote.at("quoteId").text());
    order.put("destinationAddress", RECIPIENT);
    order.put("refundAddress", REFUND);
    String idempotencyKey = UUID.randomUUID().toString();
    Json opened = post("/swap", order, idempotencyKey);
    String id = opened.at("id").source();
    expect(id.equals(post("/swap", order, idempotencyKey).at("id").source()), "two openings under one key");

    Json payment = opened.at("payment");
    expect(payment.at("amount").number().equals(new BigDecimal(amount)), "another amount is asked for");
    expect(payment.at("uri").text().contains(opened.at("address").text()), "the link pays somebody else");
    BigDecimal enough = opened.at("minimumDeposit").number();
    expect(enough.compareTo(new BigDecimal(amount)) <= 0, "the quoted amount is below the channel's minimum");
    post("/sandbox/deposits", Map.of("address", opened.at("address").text(), "amount", amount), null);

    List<String> states = new ArrayList<>();
    Json status = null;
    String guidance = "";
    for (int looks = 0; looks < MOST_LOOKS; looks++) {
      Json answer = get("/status-by-id", Map.of("swapId", id));
      status = answer.at("status");
      String state = status.at("state").text();
      if (states.isEmpty() || !states.get(states.size() - 1).equals(state)) states.add(state);
      guidance = answer.at("guidance").at("text").text();
      if (state.equals("completed") || state.equals("failed")) break;
      post("/sandbox/time", Map.of("advanceSeconds", 300), null);
    }
    Json received = status.at("swapEgress");
    expect(native_(DESTINATION, received.at("amount").number()).equals(received.at("amountNative").text()),
        "the payout lost digits");

    // A page of history: by time, address and assets.
    Map<String, String> wanted = with(pair, "address", RECIPIENT, "from", began.toString(), "to", Instant.now().toString());
    boolean listed = get("/swaps", wanted).list().stream().anyMatch(swap -> swap.at("id").source().equals(id));
    int earlier = get("/swaps", with(wanted, "from", "2020-01-01", "to", "2020-01-31")).list().size();
    return "{\"states\":[" + states.stream().map(Json::quoted).collect(Collectors.joining(",")) + "],\"result\":"
        + Json.quoted(status.at("result").text()) + ",\"guidance\":" + Json.quoted(guidance) + ",\"networks\":"
        + networks.list().size() + ",\"minimums\":" + minimums + ",\"twins\":" + twins + ",\"links\":" + links + ",\"dollars\":" + dollars
        + ",\"listed\":" + listed + ",\"earlier\":" + earlier + "}";
  }

  private void checkAmount(Json quote, String side) {
    String asset = quote.at(side + "Asset").text();
    BigDecimal amount = quote.at(side + "Amount").number();
    expect(native_(asset, amount).equals(quote.at(side + "AmountNative").text()), side + "Amount lost digits");
  }

  /** An amount in the smallest unit, exactly. */
  private String native_(String asset, BigDecimal amount) {
    return amount.movePointRight(decimals.get(asset)).toBigIntegerExact().toString();
  }

  private BigDecimal unitBelow(BigDecimal amount) {
    return amount.subtract(BigDecimal.ONE.movePointLeft(decimals.get(SOURCE)));
  }

  /** Counts what each answer has of links and values, and holds each amount beside its asset against its twin. */
  private void look(Json json) {
    json.list().forEach(this::look);
    json.members().values().forEach(member -> look((Json) member));
    json.members().forEach((name, member) -> {
      if (name.equals("transactionUrl") || name.equals("explorerUrl")) {
        links++;
        expect(((Json) member).text().startsWith("http"), "a link that is none");
      }
      if (name.endsWith("alueUsd")) {
        dollars++;
        expect(((Json) member).number().signum() >= 0, "a value below nothing");
      }
    });
    if (json.has("asset") && json.has("amount") && json.has("amountNative")) {
      String asset = json.at("asset").text();
      expect(native_(asset, json.at("amount").number()).equals(json.at("amountNative").text()), "an amount lost digits");
      twins++;
    }
  }

  private Json get(String path, Map<String, String> query) throws Exception {
    return answered(send("GET", path, query, null, null));
  }

  private Json post(String path, Map<String, ?> body, String idempotencyKey) throws Exception {
    return answered(send("POST", path, Map.of(), Json.write(body), idempotencyKey));
  }

  private void refused(String path, Map<String, String> query) throws Exception {
    HttpResponse<String> response = send("GET", path, query, null, null);
    expect(response.statusCode() == 400, query + " was answered with " + response.statusCode());
    expect(response.body().contains("Amount below minimum"), response.body());
  }

  private HttpResponse<String> send(
      String method, String path, Map<String, String> query, String body, String idempotencyKey) throws Exception {
    String parameters = query.entrySet().stream()
        .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&", "?", ""));
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path + parameters))
        .header("X-API-Key", key)
        .header("Content-Type", "application/json")
        .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (idempotencyKey != null) request.header("Idempotency-Key", idempotencyKey);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private Json answered(HttpResponse<String> response) {
    expect(response.statusCode() < 300, response.uri().getPath() + ": " + response.statusCode() + " " + response.body());
    Json json = new Json.Reader(response.body()).whole();
    look(json);
    return json;
  }

  private static Map<String, String> with(Map<String, String> query, String... pairs) {
    Map<String, String> all = new LinkedHashMap<>(query);
    for (int at = 0; at < pairs.length; at += 2) all.put(pairs[at], pairs[at + 1]);
    return all;
  }

  private static void expect(boolean holds, String otherwise) {
    if (!holds) throw new IllegalStateException(otherwise);
  }

  /** JSON, of which numbers keep their digits: a value is a map, a list, text, or the source of a number or a word. */
  private record Json(Object value, String source) {
    boolean has(String name) {
      return members().containsKey(name);
    }

    Json at(String name) {
      expect(has(name), "no " + name + " in " + members().keySet());
      return (Json) members().get(name);
    }

    String text() {
      return (String) value;
    }

    BigDecimal number() {
      return new BigDecimal(source);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> members() {
      return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    @SuppressWarnings("unchecked")
    List<Json> list() {
      return value instanceof List ? (List<Json>) value : List.of();
    }

    static String quoted(String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    static String write(Object value) {
      if (value instanceof Json json) return json.source != null ? json.source : write(json.value);
      if (value instanceof String text) return quoted(text);
      if (value instanceof Map<?, ?> members) {
        return members.entrySet().stream()
            .map(one -> quoted((String) one.getKey()) + ":" + write(one.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
      }
      return String.valueOf(value);
    }

    private static final class Reader {
      private final String text;
      private int at;

      Reader(String text) {
        this.text = text;
      }

      Json whole() {
        Json json = value();
        blanks();
        expect(at == text.length(), "more than one value");
        return json;
      }

      private Json value() {
        blanks();
        char first = text.charAt(at);
        if (first == '"') return new Json(string(), null);
        if (first == '{') {
          Map<String, Json> members = new LinkedHashMap<>();
          while (next(members.isEmpty(), '}')) {
            blanks();
            String name = string();
            blanks();
            at++;
            members.put(name, value());
          }
          return new Json(members, null);
        }
        if (first == '[') {
          List<Json> items = new ArrayList<>();
          while (next(items.isEmpty(), ']')) items.add(value());
          return new Json(items, null);
        }
        int from = at;
        while (at < text.length() && "+-.".indexOf(text.charAt(at)) + 1 + letterOrDigit(text.charAt(at)) > 0) at++;
        return new Json(null, text.substring(from, at));
      }

      private static int letterOrDigit(char letter) {
        return Character.isLetterOrDigit(letter) ? 1 : 0;
      }

      /** Goes past a bracket or a comma; whether a value follows. */
      private boolean next(boolean isFirst, char end) {
        if (isFirst) at++;
        blanks();
        char sign = text.charAt(at);
        if (sign == end) at++;
        else if (!isFirst) at++;
        return sign != end;
      }

      private String string() {
        StringBuilder read = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
          char letter = text.charAt(at);
          if (letter != '\\') {
            read.append(letter);
            continue;
          }
          char escaped = text.charAt(++at);
          switch (escaped) {
            case 'u' -> {
              read.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
              at += 4;
            }
            case 'n' -> read.append('\n');
            case 't' -> read.append('\t');
            case 'r' -> read.append('\r');
            case 'b' -> read.append('\b');
            case 'f' -> read.append('\f');
            default -> read.append(escaped);
          }
        }
        at++;
        return read.toString();
      }

      private void blanks() {
        while (at < text.length() && text.charAt(at) <= ' ') at++;
      }
    }
  }
}
