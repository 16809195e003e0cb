// The lists themselves. Parts of words that an apostrophe cuts off ("don't" gives "don" and "t") are among them.
#include <array>

#include "neardup/token/stop_words.h"

namespace neardup::token {
namespace {

constexpr std::string_view kArabic =
    "في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين ما لا لم لن إن أن كان كانت يكون قد كل بعد قبل "
    "بين حتى إذا أو ثم لكن هو هي هم نحن أنا أنت كما عند عندما منذ خلال حيث غير أي به بها له لها فيه فيها "
    "منه منها عليه عليها وقد ولا وفي ومن وهو وهي";

constexpr std::string_view kCatalan =
    "el la els les un una uns unes de del dels a al als en i o que no és són era va ha han per amb com "
    "més però si es se seu seva seus seves li ho hi jo tu ell ella nosaltres vosaltres ells elles aquest "
    "aquesta aquests aquestes aquell aquella això allò molt molts també ja quan on sobre entre sense "
    "fins des ser estar fer tot tots tota totes ni què qui l d s n";

constexpr std::string_view kChinese =
    "的 了 和 是 在 就 都 而 及 与 也 着 或 之 其 于 以 为 被 把 让 向 从 到 对 将 又 并 且 但 却 因 由 则 所 吗 呢 吧 "
    "啊 呀 "
    "嘛 么 哦 哪 谁 何 这 那 我 你 他 她 它 们 您 咱 个 些 很 更 最 太 还 再 才 只 不 没 "
    "我们 你们 他们 她们 它们 咱们 这个 那个 这些 那些 这样 那样 这里 那里 什么 怎么 怎样 如何 为何 哪里 哪个 哪些 "
    "一个 一些 一种 以及 或者 并且 而且 但是 可是 不过 然而 因为 所以 因此 由于 如果 假如 虽然 尽管 即使 无论 不管 "
    "只要 只有 "
    "除了 关于 对于 根据 按照 通过 随着 为了 以便 以后 以前 之后 之前 之间 其中 其他 其它 有的 有些 没有 不是 就是 "
    "还是 "
    "也是 都是 可以 可能 能够 应该 必须 已经 曾经 正在 将要 非常 十分 特别 比较 更加 自己 本身 大家 人们 各种 各个 "
    "每个 "
    "等等 而是 于是 从而 与其 及其 不仅 不但 同时 另外 此外 总之";

constexpr std::string_view kDanish =
    "og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min "
    "havde ham hun nu over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil "
    "blev kunne ind når være dog noget ville jo deres efter ned skulle denne end dette mit også under "
    "have dig anden hende mine alt meget sit sine vor mod disse hvis din nogle hos blive mange ad bliver "
    "hendes været thi jer sådan";

constexpr std::string_view kDutch =
    "de het een en van ik te dat die in je is niet aan er op voor met als zijn was hij ze zij wij we maar om hem dan "
    "zou "
    "of wat mijn men dit zo door over bij ook tot jij mij uit der daar haar naar heb hoe heeft hebben had deze u want "
    "nog "
    "zal me nu ge geen omdat iets worden toch al waren veel meer doen toen moet ben zonder kan hun dus alles onder ja "
    "eens hier wie werd altijd doch wordt wezen kunnen ons onze zelf tegen na reeds wil kon niets uw iemand geweest "
    "andere "
    "jullie jou jouw haar hen welke waar wanneer waarom worden zouden zullen moeten mogen mag s t n";

constexpr std::string_view kEnglish =
    "i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers "
    "herself "
    "it its itself they them their theirs themselves what which who whom whose this that these those am is are was "
    "were "
    "be been being have has had having do does did doing a an the and but if or because as until while of at by for "
    "with "
    "about against between into through during before after above below to from up down in out on off over under again "
    "further then once here there when where why how all any both each few more most other some such no nor not only "
    "own "
    "same so than too very s t d ll m o re ve y can will just don should now would could ought shall may might must "
    "ain aren couldn didn doesn hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn "
    "i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll "
    "he'll "
    "she'll we'll they'll isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't shan't "
    "shouldn't can't cannot couldn't mustn't mightn't needn't ain't let's that's who's what's here's there's when's "
    "where's why's how's upon also among within without whether";

constexpr std::string_view kFinnish =
    "ja on ei se että oli hän en ovat olla mutta kun niin kuin myös jos tai mitä mikä joka jotka tämä "
    "tämän tässä nämä ne niiden sen siitä siihen siinä hänen he heidän minä sinä me te minun sinun "
    "meidän teidän ole olen olet olemme olette olisi olivat ollut voi vain vielä nyt jo sitten koska "
    "vaikka sekä eli kanssa mukaan poikki ennen jälkeen";

constexpr std::string_view kFrench =
    "au aux avec ce ces cet cette dans de des du elle elles en et eux il ils je la le les leur leurs lui ma mais me "
    "même "
    "mes moi mon ne nos notre nous on ou où par pas pour qu que qui quoi dont sa se ses si son sur ta te tes toi ton "
    "tu un "
    "une vos votre vous c d j l à m n s t y été étée étées étés étant suis es est sommes êtes sont serai seras sera "
    "serons "
    "serez seront serais serait serions seriez seraient étais était étions étiez étaient fus fut fûmes fûtes furent "
    "sois "
    "soit soyons soyez soient fusse fusses fût ayant eu eue eues eus ai as avons avez ont aurai auras aura aurons "
    "aurez "
    "auront aurais aurait aurions auriez auraient avais avait avions aviez avaient eut eûmes eûtes eurent aie aies ait "
    "ayons ayez aient ceci cela celui celle ceux celles ici là donc or ni car comme plus moins très aussi ainsi alors "
    "sans sous entre chez vers depuis pendant avant après contre être avoir tout tous toute toutes";

constexpr std::string_view kGerman =
    "aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei "
    "bin "
    "bis bist da damit dann das dass dasselbe dazu dein deine deinem deinen deiner deines dem den denn denselben der "
    "derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben diesem diesen dieser dieses dir "
    "doch "
    "dort du durch ein eine einem einen einer eines einig einige einigem einigen einiger einiges einmal er es etwas "
    "euch "
    "euer eure eurem euren eurer eures für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn "
    "ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener "
    "jenes "
    "jetzt kann kein keine keinem keinen keiner keines können könnte machen man manche manchem manchen mancher manches "
    "mein meine meinem meinen meiner meines mich mir mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr "
    "sein "
    "seine seinem seinen seiner seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte "
    "sondern "
    "sonst über um und uns unser unsere unserem unseren unserer unseres unter viel vom von vor während war waren warst "
    "was "
    "weg weil weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir wird wirst wo wollen "
    "wollte würde würden wurde wurden zu zum zur zwar zwischen";

constexpr std::string_view kGreek =
    "ο η το οι τα του τησ των τον την τουσ τισ στο στον στη στην στα στισ στουσ και να σε με για από "
    "είναι που δεν θα ότι ωσ αλλά ή αν ένα ένασ μια μία αυτό αυτή αυτόσ αυτά όπωσ πιο πολύ μόνο κατά "
    "μετά πριν χωρίσ όταν πωσ τι μου σου μασ σασ εγώ εσύ εμείσ εσείσ ήταν έχει έχουν είχε υπάρχει κάθε "
    "όλα όλοι επίσησ ενώ μεταξύ προσ";

constexpr std::string_view kHindi =
    "का के की में है हैं और से को पर यह वह ये वे इस उस ने भी नहीं तो कि जो एक था थे थी हो होता होती होते "
    "गया गई गए कर करने करते किया लिए साथ बाद तक या अपने अपनी अपना कुछ सभी बहुत जब तब अब यहां वहां कैसे "
    "क्या कौन हम आप तुम मैं उन इन उनके इनके उनकी द्वारा रहा रहे रही सकता सकते";

constexpr std::string_view kHungarian =
    "a az és hogy nem is egy ez de ha már csak meg még mint vagy volt van lesz lehet minden nagyon azt "
    "ezt azok ezek aki ami amely amelyek amikor ahol akkor itt ott én te ő mi ti ők el ki be fel le át "
    "össze mert így úgy után előtt között alatt szerint által kell kellett volna voltak vannak sem pedig "
    "ezért azért majd most sok több egyik másik saját";

constexpr std::string_view kIndonesian =
    "yang dan di dari ini itu untuk dengan pada tidak ke dalam adalah akan juga oleh sebagai ada bisa "
    "saya kami kita mereka dia anda ia atau karena sudah telah lebih seperti saat dapat hanya jika bahwa "
    "masih harus secara tersebut antara sampai setelah lalu namun tetapi hingga bagi para pun lagi belum "
    "agar serta maka tentang";

constexpr std::string_view kItalian =
    "ad al allo ai agli all alla alle con col coi da dal dallo dai dagli dall dalla dalle di del dello dei degli dell "
    "della delle in nel nello nei negli nell nella nelle su sul sullo sui sugli sull sulla sulle per tra fra contro io "
    "tu "
    "lui lei noi voi loro mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra "
    "vostri vostre mi ti ci vi lo la li le gli ne il un uno una ma ed se perché anche come dove che chi cui non più "
    "quale "
    "quali quanto quanti quanta quante quello quelli quella quelle questo questi questa queste si tutto tutti a c e i "
    "l o "
    "d ho hai ha abbiamo avete hanno abbia avrà avranno avrebbe avevo aveva avevano ebbe avendo avuto sono sei è siamo "
    "siete sia siano sarà saranno sarebbe ero era erano fu furono essendo stato stata stati state essere avere fare fa "
    "fanno faceva poi già ancora solo molto";

constexpr std::string_view kNorwegian =
    "og i jeg det at en et den til er som på de med han av ikke der så var meg seg men ett har om vi min "
    "mitt ha hadde hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva skal selv "
    "her alle vil bli ble blitt kunne inn når være kom noen noe ville dere deres kun ja etter ned skulle "
    "denne for deg si sine sitt mot å meget hvorfor dette disse uten hvordan ingen din ditt blir samme "
    "hvilken hvilke sånn inni mellom vår hver hvem vors både bare enn fordi før mange også slik vært "
    "begge siden ikkje eg ein ei eit frå vere";

constexpr std::string_view kPortuguese =
    "a à ao aos aquela aquelas aquele aqueles aquilo as às até com como da das de dela delas dele deles depois do dos "
    "e é "
    "ela elas ele eles em entre era eram essa essas esse esses esta está estamos estão estar estas estava estavam este "
    "esteja estes esteve estive estou eu foi fomos for fora foram forem fosse fossem fui há haja hão havia hei houve "
    "isso "
    "isto já lhe lhes mais mas me mesmo meu meus minha minhas muito na não nas nem no nos nós nossa nossas nosso "
    "nossos num "
    "numa o os ou para pela pelas pelo pelos por qual quando quanto que quem são se seja sejam sem ser será serão "
    "seria "
    "seriam seu seus só somos sou sua suas também te tem têm temos tenha tenham tenho ter terá teria teve tinha tinham "
    "tive "
    "tu tua tuas teu teus um uma umas uns você vocês vos onde porque pois";

constexpr std::string_view kRomanian =
    "și si de la în in a al ale ai cu pe nu că ca să un o este sunt era au fost fi mai din pentru care "
    "ce se sa său sau dar prin după până între fără către despre cum când unde dacă foarte tot toate "
    "toți acest această acesta aceasta aceste acești acel acea acei acele el ea ei ele eu tu noi voi îi "
    "le lui lor îl își am are avea va vor doar numai atunci acum aici acolo fie nici";

constexpr std::string_view kRussian =
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее её мне было вот от меня "
    "еще "
    "ещё нет о об из ему теперь когда даже ну вдруг ли если уже или ни быть был него до вас нибудь опять уж вам ведь "
    "там "
    "потом себя ничего ей может они тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже "
    "себе "
    "под будет ж тогда кто этот того потому этого какой совсем ним здесь этом один почти мой тем чтобы нее неё сейчас "
    "были "
    "куда зачем всех никогда можно при наконец два другой хоть после над больше тот через эти нас про всего них какая "
    "много разве три эту моя впрочем хорошо свою этой перед иногда лучше чуть том нельзя такой им более всегда конечно "
    "всю между это эта которые который которая которое";

constexpr std::string_view kSpanish =
    "a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante e el él ella ellas "
    "ellos "
    "en entre era eran eres es esa esas ese eso esos esta está estaba estaban estado estamos están estar estas este "
    "esto "
    "estos estoy fue fueron fui ha había habían han has hasta hay haya he hemos la las le les lo los más me mi mí mis "
    "mucho "
    "muchos muy nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro otros para "
    "pero "
    "poco por porque que qué quien quienes se sea sean ser será serán sería si sí sido siendo sin sobre sois somos son "
    "soy "
    "su sus suya suyo también tanto te tendrá tenía tener tengo ti tiene tienen todo todos todas toda tu tú tus tuvo "
    "un una "
    "uno unos unas vosotras vosotros vuestra vuestras vuestro vuestros y ya yo aunque así pues según cada";

constexpr std::string_view kSwedish =
    "och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då sin "
    "nu "
    "har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad över än "
    "dig kan "
    "sina här ha mot alla under någon eller allt mycket sedan ju denna själv detta åt utan varit hur ingen mitt ni bli "
    "blev oss din dessa några deras blir mina samma vilken er sådan vår blivit dess inom mellan sådant varför varje "
    "vilka "
    "ditt vem vilket sitta sådana vart dina vars vårt våra ert era vilkas";

constexpr std::string_view kTurkish =
    "ve bir bu da de için ile çok daha ne o ki ama gibi kadar en her mi mı mu mü olarak sonra önce ya "
    "ise var yok değil şu ben sen biz siz onlar bana sana ona bize size onlara beni seni onu bizi sizi "
    "onları benim senin onun bizim sizin onların ancak hem hiç nasıl neden niçin kim hangi şey olan oldu "
    "olduğu olur olsa diye çünkü veya üzere göre karşı bazı bütün tüm";

constexpr std::array<StopWordList, 21> kLists = {{
    {"arabic", kArabic},         {"catalan", kCatalan}, {"chinese", kChinese},     {"danish", kDanish},
    {"dutch", kDutch},           {"english", kEnglish}, {"finnish", kFinnish},     {"french", kFrench},
    {"german", kGerman},         {"greek", kGreek},     {"hindi", kHindi},         {"hungarian", kHungarian},
    {"indonesian", kIndonesian}, {"italian", kItalian}, {"norwegian", kNorwegian}, {"portuguese", kPortuguese},
    {"romanian", kRomanian},     {"russian", kRussian}, {"spanish", kSpanish},     {"swedish", kSwedish},
    {"turkish", kTurkish},
}};

}  // namespace

std::span<const StopWordList> stop_word_lists() { return kLists; }

}  // namespace neardup::token
